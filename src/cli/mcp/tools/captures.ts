import { numberOf, objectsIn, textOf } from '../../top/top-sample.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { jsonOf } from './shown-values.ts'

export const captures: Tool = serviceTool({
  name: 'captures',
  title: 'Captures of the flight recorder',
  description:
    'Lists what the flight recorder of a service has captured by itself, such as a blocked event loop: when, why, ' +
    'and the stack. The files of captures are not read.',
  fields: {},
  async run(connection) {
    const shown = required(await connection.read('captures'), connection, 'captures')
    const all = objectsIn(shown['captures'])
    const [last] = all
    const suppressed = numberOf(shown['suppressed']) ?? 0
    const first = last === undefined ? 'No captures' : `${all.length} captures; the last: ${textOf(last['reason'])}`
    return {
      summary: [`${first}; ${suppressed} were suppressed.`],
      details: all.map(({ time, rule, reason, id, details }) =>
        [`${textOf(time)} ${textOf(rule)}: ${textOf(reason)}`, `id ${textOf(id)}`, jsonOf(details)].join('; '),
      ),
    }
  },
})
