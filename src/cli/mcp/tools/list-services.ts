import { messageOf } from '../../../base/callback.ts'
import { objectOf, textOf } from '../../top/top-sample.ts'
import type { Connection } from '../service.ts'
import { overallTool, type Tool } from '../tool.ts'

export const listServices: Tool = overallTool({
  name: 'list_services',
  title: 'List services',
  description: 'Lists the configured services: name, status of health, application, version, exposed endpoints.',
  async run(connections) {
    const lines = await Promise.all(connections.map(describe))
    return { summary: lines }
  },
})

async function describe(connection: Connection): Promise<string> {
  try {
    const health = await connection.read('health')
    const [overview, index] = await Promise.all([
      readIfAllowed(connection, 'console/overview'),
      readIfAllowed(connection, ''),
    ])
    const { name, version } = objectOf(overview['application'])
    const endpoints = Object.keys(objectOf(index['_links'])).filter((id) => id !== 'self' && !id.includes('-'))
    const application = [textOf(name), textOf(version)].filter((each) => each !== undefined).join(' ')
    return [
      `${connection.service}: ${textOf(health?.['status']) ?? 'no health'}`,
      ...(application === '' ? [] : [application]),
      ...(endpoints.length === 0 ? [] : [`endpoints ${endpoints.join(', ')}`]),
    ].join('; ')
  } catch (error) {
    return `${connection.service}: ${messageOf(error)}`
  }
}

async function readIfAllowed(connection: Connection, path: string) {
  return (await connection.read(path).catch(() => undefined)) ?? {}
}
