import { vitalNames } from '../console/documents.ts'
import type { JsonSchema } from '../rest/schemas/json-schema.ts'
import { listSchema, stringSchema } from './endpoints/json-representation.ts'

const number: JsonSchema = { type: 'number' }
const integer: JsonSchema = { type: 'integer' }
const flag: JsonSchema = { type: 'boolean' }
const numberOrNull: JsonSchema = { type: ['number', 'null'] }
const strings: JsonSchema = { type: 'object', additionalProperties: stringSchema }
const values: JsonSchema = { type: 'object', additionalProperties: {} }

/** Describes an object; the names in `optional` may be absent. */
function object(properties: Readonly<Record<string, JsonSchema>>, ...optional: readonly string[]): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required }
}

function oneOf(...names: readonly string[]): JsonSchema {
  return { type: 'string', enum: names }
}

/** Returns the schemas of the documents of the console by their paths; `src/console/documents.ts` explains them. */
export function consoleSchemas(): Readonly<Record<string, JsonSchema>> {
  const vitals = object({ at: number, ...Object.fromEntries(vitalNames.map((name) => [name, numberOrNull])) })
  const samples = Object.fromEntries(vitalNames.map((name) => [name, listSchema(numberOrNull)]))
  const pool = object({ name: stringSchema, used: number, idle: number, maximum: number, waiting: number }, 'maximum')
  const request = {
    ...{ id: stringSchema, at: number, method: stringSchema, route: stringSchema, path: stringSchema, status: integer },
    ...{ isAborted: flag, seconds: number, error: stringSchema, traceId: stringSchema, kept: oneOf('failed', 'slow') },
    member: stringSchema,
  }
  const optionalOfRequest = ['route', 'error', 'traceId', 'kept', 'member']
  const log = object(
    {
      ...{ sequence: integer, at: number, level: stringSchema, severity: integer, logger: stringSchema },
      ...{ message: stringSchema, traceId: stringSchema, spanId: stringSchema, attributes: values },
      member: stringSchema,
      error: object({ type: stringSchema, message: stringSchema, stack: stringSchema }, 'type', 'message', 'stack'),
    },
    ...['traceId', 'spanId', 'error', 'member'],
  )
  const figures = { calls: number, errors: number, rate: number, errorRate: number }
  const means = { meanSeconds: numberOrNull, maximumSeconds: numberOrNull }
  const timed = (properties: Readonly<Record<string, JsonSchema>>, ...optional: readonly string[]) =>
    object({ now: number, ...properties }, ...optional)

  return {
    overview: timed({
      application: object(
        {
          ...{ name: stringSchema, version: stringSchema, commit: stringSchema, startedAt: number },
          ...{ node: stringSchema, pid: integer, host: stringSchema },
        },
        ...['name', 'version', 'commit'],
      ),
      findings: listSchema(
        object(
          {
            kind: oneOf('health', 'errors', 'latency', 'event-loop', 'memory', 'gc', 'pool'),
            severity: oneOf('critical', 'warning'),
            ...{ text: stringSchema, since: number, link: stringSchema },
          },
          'since',
        ),
      ),
      health: object({ status: stringSchema, liveness: stringSchema, readiness: stringSchema, components: strings }),
      vitals,
      limits: object({ memory: number, heap: number, cpu: number }),
      pools: listSchema(pool),
      history: object({ maximumBytes: number, bytes: number, droppedRecords: integer }),
      viewers: object({ current: integer, maximum: integer }),
      links: strings,
      members: listSchema(stringSchema),
    }),
    history: timed({ step: integer, times: listSchema(number), values: object(samples) }),
    requests: timed({
      windowSeconds: number,
      routes: listSchema(
        object(
          {
            ...{ method: stringSchema, route: stringSchema, rate: number, requests: integer, errors: integer },
            ...{ p50: numberOrNull, p95: numberOrNull, p99: numberOrNull, maximum: numberOrNull, usualP99: number },
            ...{ total: integer, lastAt: number },
          },
          'usualP99',
        ),
      ),
      omittedRequests: integer,
      running: listSchema(
        object(
          {
            ...{ at: number, method: stringSchema, route: stringSchema, path: stringSchema, traceId: stringSchema },
            member: stringSchema,
          },
          ...['route', 'traceId', 'member'],
        ),
      ),
      omittedRunning: integer,
      recent: listSchema(object(request, ...optionalOfRequest)),
    }),
    'requests/{id}': timed(
      {
        request: object(
          { ...request, errorMessage: stringSchema, errorStack: stringSchema },
          ...[...optionalOfRequest, 'errorMessage', 'errorStack'],
        ),
        spans: listSchema(
          object(
            {
              ...{ spanId: stringSchema, parentId: stringSchema, name: stringSchema, at: number, seconds: number },
              kind: oneOf('internal', 'server', 'client', 'producer', 'consumer'),
              ...{ status: oneOf('ok', 'error'), attributes: values },
            },
            ...['parentId', 'status'],
          ),
        ),
        withoutSpans: stringSchema,
        logs: listSchema(log),
      },
      'withoutSpans',
    ),
    health: timed({
      // A tree, whose depth is that of the components.
      root: { type: 'object' },
      groups: strings,
      changes: listSchema(
        object(
          { at: number, path: stringSchema, from: stringSchema, to: stringSchema, reason: stringSchema },
          'reason',
        ),
      ),
    }),
    meters: timed({
      meters: listSchema(
        object(
          { name: stringSchema, kind: stringSchema, description: stringSchema, unit: stringSchema, series: integer },
          ...['description', 'unit'],
        ),
      ),
      omittedMeters: integer,
    }),
    'meters/{name}': timed(
      {
        ...{ name: stringSchema, kind: stringSchema, description: stringSchema, unit: stringSchema },
        tags: { type: 'object', additionalProperties: listSchema(stringSchema) },
        series: listSchema(
          object({ tags: strings, values: { type: 'object', additionalProperties: number }, promql: stringSchema }),
        ),
        omittedSeries: integer,
      },
      ...['description', 'unit'],
    ),
    logs: timed({ records: listSchema(log), latest: integer, dropped: integer }),
    dependencies: timed({
      outgoing: listSchema(
        object({ kind: oneOf('http', 'database', 'messaging'), target: stringSchema, ...figures, ...means }),
      ),
      pools: listSchema(pool),
      tasks: listSchema(object({ name: stringSchema, runs: number, failures: number, ...means })),
      caches: listSchema(object({ name: stringSchema, hits: number, misses: number, size: number }, 'size')),
      omitted: integer,
    }),
  }
}
