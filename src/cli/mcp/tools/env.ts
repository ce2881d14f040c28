import { isSecretName } from '../../../base/redaction.ts'
import { objectOf, objectsIn, textOf, textsIn } from '../../top/top-sample.ts'
import { describe, maxLength, optional, string } from '../sdk.ts'
import { required, serviceTool, type Tool } from '../tool.ts'

export const env: Tool = serviceTool({
  name: 'env',
  title: 'Environment',
  description:
    'Shows the names of the properties of a service by source, and the values that the service does not mask.',
  fields: {
    contains: optional(string().check(maxLength(100), describe('Only properties whose name contains this.'))),
  },
  async run(connection, { contains = '' }) {
    const shown = required(await connection.read('env'), connection, 'env')
    const lines = objectsIn(shown['propertySources']).flatMap((source) => {
      const properties = Object.entries(objectOf(source['properties']))
      const matching = properties.filter(([name]) => name.toLowerCase().includes(contains.toLowerCase()))
      if (matching.length === 0) return []
      return [
        `${textOf(source['name'])}:`,
        ...matching.map(([name, property]) => `  ${name}=${shownValue(name, property)}`),
      ]
    })
    const profiles = textsIn(shown['activeProfiles'])
    const found = lines.filter((line) => line.startsWith('  ')).length
    return {
      summary: [`${found} properties; active profiles: ${profiles.join(', ') || 'none'}.`],
      details: lines,
      narrowBy: 'contains',
    }
  },
})

/** Masks by the name as well: a service may show more than it should. */
function shownValue(name: string, property: unknown): string {
  const { value } = objectOf(property)
  return isSecretName(name) ? '******' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}
