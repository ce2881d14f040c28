import { type JsonObject, objectOf, objectsIn, textOf } from '../../top/top-sample.ts'
import type { Answer } from '../answer.ts'
import { describe, int, maximum, maxLength, minimum, oneOf, optional, regex, string } from '../sdk.ts'
import type { Connection } from '../service.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { linesOf } from '../untrusted-text.ts'
import { instant, jsonOf } from './shown-values.ts'

const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const

export const logs: Tool = serviceTool({
  name: 'logs',
  title: 'Log records',
  description: 'Shows the last log records of a service, the latest first, and how many there are of each level.',
  budgetBytes: 12_000,
  fields: {
    level: optional(oneOf(levels).check(describe('Only records of this level or a higher one.'))),
    text: optional(string().check(maxLength(200), describe('Only records that contain this text.'))),
    trace: optional(string().check(regex(/^[\da-f]{32}$/), describe('Only records of the trace with this id.'))),
    limit: optional(int().check(minimum(1), maximum(500), describe('How many records; 50 by default.'))),
  },
  async run(connection, { level, text, trace, limit = 50 }) {
    const query = [
      ['level', level],
      ['text', text],
      ['trace', trace],
      ['limit', limit],
    ] as const
    const shown = await connection.read('console/logs', { query })
    if (shown === undefined) return readFile(connection, [level, text, trace], limit)
    const records = objectsIn(shown['records'])
    return {
      summary: [`${records.length} records${countLevels(records.map((each) => textOf(each['level']) ?? '-'))}.`],
      details: recordLines(records),
      narrowBy: 'level, text, trace or limit',
    }
  },
})

/** Returns the lines of log records, with their errors. */
export function recordLines(records: readonly JsonObject[]): readonly string[] {
  return records.flatMap(({ at, level, logger, message, traceId, attributes, error }) => {
    const { type, message: reason, stack } = objectOf(error)
    const others = Object.keys(objectOf(attributes)).length === 0 ? '' : ` ${jsonOf(attributes)}`
    const trace = textOf(traceId) === undefined ? '' : ` trace ${textOf(traceId)}`
    const first = `${instant(at)} ${textOf(level)} ${textOf(logger) ?? '-'}: ${textOf(message)}${others}${trace}`
    if (error === undefined) return [first]
    const frames = linesOf(textOf(stack) ?? '').filter((line) => line.trimStart().startsWith('at '))
    return [first, `  ${textOf(type) ?? 'Error'}: ${textOf(reason) ?? ''}`, ...frames.slice(0, 5)]
  })
}

/** The bytes that are read at the end of a log file. */
const fileBytes = 262_144

/** Of Spring Boot, or where no logger is connected. */
async function readFile(
  connection: Connection,
  wanted: readonly (string | undefined)[],
  limit: number,
): Promise<Answer> {
  const read = { accept: 'text/plain', range: `bytes=-${fileBytes}` }
  const text = required(await connection.readText('logfile', read), connection, 'console or logfile')
  const lines = linesOf(text)
    .filter((line) => line !== '' && wanted.every((each = '') => line.includes(each)))
    .reverse()
  return {
    summary: [`${lines.length} lines at the end of the log file, the latest first.`],
    details: lines.slice(0, limit),
    narrowBy: 'level, text, trace or limit',
  }
}

function countLevels(found: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const level of found) counts.set(level, (counts.get(level) ?? 0) + 1)
  return [...counts].map(([level, count]) => `, ${count} of ${level}`).join('')
}
