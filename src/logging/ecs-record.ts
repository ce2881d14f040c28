import { describeValue } from '../base/describe-value.ts'
import { optionOutOfRange } from '../base/errors.ts'
import { errorName } from '../base/settled-work.ts'
import { errorFields } from './error-fields.ts'
import { errorInStack } from './events/line-event.ts'
import { rootName } from './levels/loggers.ts'
import type { LoggingApplication } from './record.ts'
import { threadName } from './thread-name.ts'

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
  throw optionOutOfRange(`${caller}: format: expected "json" or "ecs", received ${describeValue(format)}`)
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

/** The used part of an `IncomingMessage`, or of a framework's request that extends it. */
interface ReceivedMessage {
  readonly httpVersion: string
  readonly method: string
  readonly url?: string | undefined
  /** Express changes `url` while it routes. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly socket?: {
    readonly encrypted?: boolean
    readonly remoteAddress?: string
    readonly remotePort?: number
  } | null
  /** The address of the client behind a proxy, as Express and Fastify determine it. */
  readonly ip?: string | undefined
}

interface SentMessage {
  readonly statusCode: number
  getHeader(name: string): unknown
}

/** The fields of a request, by their first name. */
interface RequestFields {
  readonly http: Fields
  readonly url: Fields
  readonly [name: string]: Fields
}

/**
 * Returns the fields of a request; `undefined` if the value is not a request. Header fields and the query, which may
 * contain secrets, are omitted. Elastic Common Schema, "HTTP", "URL" and "Client" fields.
 */
function requestFields(value: unknown): RequestFields | undefined {
  const message = unwrap(value)
  if (!isReceived(message)) return undefined
  const { httpVersion, method, headers, socket, originalUrl, url = '', ip = socket?.remoteAddress } = message
  const [path = ''] = (originalUrl ?? url).split(/[?#]/, 1)
  const bytes = lengthOf(headers['content-length'])
  const id = headers['request-id'] ?? headers['x-request-id']
  const { host, 'user-agent': userAgent } = headers
  return {
    http: {
      version: httpVersion,
      request: {
        method,
        ...(bytes !== undefined && { body: { bytes } }),
        ...(id !== undefined && { id }),
      },
    },
    url: {
      path,
      ...(host !== undefined && { full: `${socket?.encrypted ? 'https' : 'http'}://${String(host)}${path}` }),
    },
    ...(ip !== undefined && { client: { ip, address: ip, ...(socket?.remotePort && { port: socket.remotePort }) } }),
    ...(userAgent !== undefined && { user_agent: { original: userAgent } }),
  }
}

/** Returns the fields of a response; `undefined` if the value is not a response. */
function responseFields(value: unknown): { readonly http: Fields } | undefined {
  const message = unwrap(value)
  if (!isSent(message)) return undefined
  const bytes = lengthOf(message.getHeader('content-length'))
  const response = { status_code: message.statusCode, ...(bytes !== undefined && { body: { bytes } }) }
  return { http: { response } }
}

/** Fastify's messages contain those of Node as `raw`. */
function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('raw' in value)) return value
  return isReceived(value.raw) || isSent(value.raw) ? value.raw : value
}

function isReceived(value: unknown): value is ReceivedMessage {
  return (
    typeof value === 'object' && value !== null && 'httpVersion' in value && 'headers' in value && 'method' in value
  )
}

function isSent(value: unknown): value is SentMessage {
  return typeof value === 'object' && value !== null && 'statusCode' in value && 'getHeader' in value
}

function lengthOf(field: unknown): number | undefined {
  const length = typeof field === 'string' || typeof field === 'number' ? Number(field) : Number.NaN
  return Number.isSafeInteger(length) ? length : undefined
}
