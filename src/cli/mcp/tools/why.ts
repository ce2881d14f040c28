import { objectOf, objectsIn, textOf } from '../../top/top-sample.ts'
import type { Answer } from '../answer.ts'
import type { Connection } from '../service.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { linesOf } from '../untrusted-text.ts'
import { healthLines } from './health.ts'

export const why: Tool = serviceTool({
  name: 'why',
  title: 'Why is it slow or failing?',
  description:
    'Reports what is wrong with a service now, the most important first, each statement with its evidence. Call it ' +
    'first for a service that is slow, fails or is down. Statements name traces and routes, which the tools trace ' +
    'and slow_requests show.',
  budgetBytes: 17_000,
  fields: {},
  async run(connection): Promise<Answer> {
    const statements = await connection.readText('why', { accept: 'text/markdown' })
    if (statements !== undefined) return { summary: linesOf(statements) }
    const overview = await connection.read('console/overview')
    if (overview !== undefined) return findingsOf(overview)
    return healthOnly(connection)
  },
})

function findingsOf(overview: object): Answer {
  const { findings, health } = objectOf(overview)
  const lines = objectsIn(findings).map(({ severity, text }) => `${textOf(severity)}: ${textOf(text)}`)
  const status = textOf(objectOf(health)['status']) ?? 'UNKNOWN'
  const first = lines.length === 0 ? 'Nothing is wrong now' : `${lines.length} things are wrong now`
  return { summary: [`${first}; health is ${status}.`, ...lines] }
}

async function healthOnly(connection: Connection): Promise<Answer> {
  const health = required(await connection.read('health'), connection, 'why')
  return {
    summary: [
      `Health is ${textOf(health['status'])}.`,
      'The service has neither the endpoint why nor console: metrics_query, slow_requests and logs may show more.',
    ],
    details: healthLines(health),
  }
}
