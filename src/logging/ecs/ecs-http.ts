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

type Fields = Readonly<Record<string, unknown>>

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
export function requestFields(value: unknown): RequestFields | undefined {
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
export function responseFields(value: unknown): { readonly http: Fields } | undefined {
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
