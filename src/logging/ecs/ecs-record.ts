import { describeValue } from '../../base/describe-value.ts'
import { errorName } from '../../base/settled-work.ts'
import { errorFields } from '../error-fields.ts'
import { errorInStack } from '../events/record-event.ts'
import { rootName } from '../levels/loggers.ts'
import type { LoggingApplication } from '../record.ts'
import { threadName } from '../thread-name.ts'
import { requestFields, responseFields } from './ecs-http.ts'

/** The version of the Elastic Common Schema whose fields are written, as by `@elastic/ecs-pino-format` 1.5. */
const ecsVersion = '8.10.0'

type Fields = Readonly<Record<string, unknown>>

/**
 * Whether the option `format` of an integration selects the Elastic Common Schema.
 *
 * @throws RangeError if it is unknown.
 */
export function isEcs(format: 'json' | 'ecs', caller: string): boolean {
  if (format === 'json' || format === 'ecs') return format === 'ecs'
  throw new RangeError(`${caller}: format: expected "json" or "ecs", received ${describeValue(format)}`)
}

/** Returns the fields that all records of a process have. Elastic Common Schema, "Service" and "Process" fields. */
export function ecsProcessFields({
  name,
  version,
  environment,
  nodeName,
}: LoggingApplication): Record<string, unknown> {
  return {
    'process.pid': process.pid,
    'host.hostname': process.getBuiltinModule('node:os').hostname(),
    'ecs.version': ecsVersion,
    'service.name': name,
    ...(version !== undefined && { 'service.version': version }),
    ...(environment !== undefined && { 'service.environment': environment }),
    ...(nodeName !== undefined && { 'service.node.name': nodeName }),
    'event.dataset': name,
    'process.thread.name': threadName(),
  }
}

/** The fields of upkeep that have another name in the Elastic Common Schema; `undefined` for omitted ones. */
const ecsNames: ReadonlyMap<string, string | undefined> = new Map([
  ['timestamp', '@timestamp'],
  ['logger', 'log.logger'],
  ['trace_id', 'trace.id'],
  ['span_id', 'span.id'],
  ['trace_flags', undefined],
  ['thread', undefined],
  ['level', undefined],
  ['service.name', undefined],
])

/**
 * Converts a record of upkeep to the Elastic Common Schema. `level` is its level in the logging library, and
 * `processFields` what `ecsProcessFields` returned.
 */
export function ecsRecord(record: Fields, level: string, processFields: Fields): Fields {
  const converted: Record<string, unknown> = { 'log.level': level, ...processFields }
  for (const [name, value] of Object.entries(record)) {
    if (name === 'logger' && value === rootName) continue
    const ecsName = ecsNames.has(name) ? ecsNames.get(name) : name
    if (ecsName !== undefined) converted[ecsName] = value
  }
  const { stack, ...others } = withEcsObjects(converted, 'error')
  if (typeof stack !== 'string') return stack === undefined ? others : { ...others, stack }
  const { type, message } = errorInStack(stack)
  return { ...others, error: { type, message, stack_trace: stack } }
}

/**
 * Converts errors, requests and responses among the fields of the application to the Elastic Common Schema. An error is
 * in the field `errorField` or in `err`, messages of node:http are in `req` and `res`. Returns the same object if the
 * fields contain neither.
 */
export function withEcsObjects(fields: Record<string, unknown>, errorField: string): Record<string, unknown> {
  const found = fields[errorField] ?? fields['err']
  const error = found instanceof Error ? ecsError(found) : undefined
  const request = requestFields(fields['req'])
  const response = responseFields(fields['res'])
  if (error === undefined && request === undefined && response === undefined) return fields
  const converted: Record<string, unknown> = { ...fields }
  if (error !== undefined) {
    delete converted[fields[errorField] === undefined ? 'err' : errorField]
    converted['error'] = error
  }
  if (request !== undefined) delete converted['req']
  if (response !== undefined) delete converted['res']
  const http = { ...request?.http, ...response?.http }
  return { ...converted, ...request, ...(Object.keys(http).length > 0 && { http }) }
}

/** Elastic Common Schema, "Error Fields". Without credentials, like all errors in records of upkeep. */
function ecsError(error: Error): Fields {
  const { message, stack, code } = errorFields(error)
  return {
    type: errorName(error),
    message,
    ...(stack !== undefined && { stack_trace: stack }),
    ...(code !== undefined && { code: String(code) }),
  }
}
