import { time } from '../../top/formats.ts'
import { type JsonObject, numberOf, objectOf, objectsIn, textOf } from '../../top/top-sample.ts'
import type { Answer } from '../answer.ts'
import { describe, regex, string } from '../sdk.ts'
import type { Connection } from '../service.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { ToolError } from '../tool-error.ts'
import { linesOf } from '../untrusted-text.ts'
import { recordLines } from './logs.ts'
import { instant, jsonOf } from './shown-values.ts'

const traceId = /^[\da-f]{32}$/

export const trace: Tool = serviceTool({
  name: 'trace',
  title: 'One request',
  description: 'Shows one request with its spans, its log records and its error, by its id or the id of its trace.',
  budgetBytes: 16_000,
  fields: {
    id: string().check(
      regex(/^(?:\d{1,15}|[\da-f]{32})$/),
      describe('The id of slow_requests, or a trace id of 32 hexadecimal digits.'),
    ),
  },
  async run(connection, { id }) {
    if (!traceId.test(id)) return show(await readRequest(connection, id))
    const requests = await connection.read('console/requests', { query: [['limit', 20_000]] })
    const found = objectsIn(required(requests, connection, 'console')['recent']).find((each) => each['traceId'] === id)
    const request = textOf(found?.['id'])
    if (request !== undefined) return show(await readRequest(connection, request))
    const logs = await connection.read('console/logs', {
      query: [
        ['trace', id],
        ['limit', 100],
      ],
    })
    const records = recordLines(objectsIn(logs?.['records']))
    return {
      summary: [`No recent request has this trace; ${records.length} lines of its log records.`],
      details: records,
    }
  },
})

async function readRequest(connection: Connection, id: string): Promise<JsonObject> {
  const found = await connection.read(`console/requests/${id}`)
  if (found === undefined) {
    required(await connection.read('console/overview'), connection, 'console')
    throw new ToolError(`${connection.service} has no request ${id} any more: slow_requests lists those that it has.`)
  }
  return found
}

function show(shown: JsonObject): Answer {
  const request = objectOf(shown['request'])
  const spans = objectsIn(shown['spans'])
  const { method, route, path, status, traceId, errorMessage, errorStack } = request
  const seconds = numberOf(request['seconds'])
  const failure = textOf(request['error'])
  const slowest = spans
    .filter(({ kind }) => kind !== 'server')
    .toSorted((one, other) => (numberOf(other['seconds']) ?? 0) - (numberOf(one['seconds']) ?? 0))[0]
  return {
    summary: [
      `${textOf(method)} ${textOf(route) ?? textOf(path)}: ${numberOf(status)} after ${time(seconds)}`,
      `at ${instant(request['at'])}; trace ${textOf(traceId) ?? 'none'}`,
      ...(failure === undefined ? [] : [`Error: ${failure}: ${textOf(errorMessage) ?? ''}`]),
      ...((slowest && [`Slowest span: ${textOf(slowest['name'])}, ${time(numberOf(slowest['seconds']))}`]) || []),
    ],
    details: [
      textOf(shown['withoutSpans']) ?? `${spans.length} spans; the offset, the duration, the name:`,
      ...spanLines(spans),
      'Log records:',
      ...recordLines(objectsIn(shown['logs'])),
      ...linesOf(textOf(errorStack) ?? ''),
    ],
  }
}

function spanLines(spans: readonly JsonObject[]): readonly string[] {
  const parents = new Map(spans.map(({ spanId, parentId }) => [spanId, parentId]))
  const depthOf = (id: unknown) => {
    let depth = 0
    // A service may respond with a circle.
    for (let at = parents.get(id); parents.has(at) && depth < 20; at = parents.get(at)) depth += 1
    return depth
  }
  const start = numberOf(spans[0]?.['at']) ?? 0
  return spans.map(({ spanId, name, kind, at, seconds, status, attributes }) => {
    const offset = ((numberOf(at) ?? start) - start) / 1_000
    const failed = status === 'error' ? ' FAILED' : ''
    const text = `${textOf(name)} (${textOf(kind)})${failed} ${jsonOf(attributes)}`
    return `${'  '.repeat(depthOf(spanId))}+${time(offset)} ${time(numberOf(seconds))} ${text}`
  })
}
