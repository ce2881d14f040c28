import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  authorityOf,
  type ManagementRequest,
  type MessageBody,
  type MessageHeaders,
  traceIdOf,
} from '../../src/entries/adapter.ts'

/** What a framework knows of a request beside what node:http does. */
export interface RequestSurroundings {
  /** The target below the adapter's mount path. @default req.url */
  readonly target?: string | undefined
  /** `http` or `https`, as the framework trusts its proxy. @default by the socket */
  readonly protocol?: string | undefined
  /** The path below which the adapter is mounted. @default '' */
  readonly mountPath?: string | undefined
  /** What a body parser has made of the body. */
  readonly parsedBody?: unknown
  /** What it is answered by: its trace is known by it, and its `X-Request-Id` names the request. */
  readonly response?: ServerResponse | undefined
  /** How the service has named the request. @default the `X-Request-Id` of the response */
  readonly requestId?: string | undefined
}

/** A request of node:http as the core sees it. Header fields are looked at only when the core asks. */
export function toManagementRequest(req: IncomingMessage, surroundings: RequestSurroundings = {}): ManagementRequest {
  return new NodeRequest(req, surroundings)
}

class NodeRequest implements ManagementRequest {
  readonly method: string
  readonly target: string
  readonly #req: IncomingMessage
  readonly #surroundings: RequestSurroundings

  constructor(req: IncomingMessage, surroundings: RequestSurroundings) {
    this.method = req.method ?? 'GET'
    this.target = surroundings.target ?? req.url ?? '/'
    this.#req = req
    this.#surroundings = surroundings
  }

  get headers(): MessageHeaders {
    const { headers } = this.#req
    return headers.authorization === undefined ? headers : withAllCredentials(this.#req)
  }

  get mountPath() {
    return this.#surroundings.mountPath
  }

  get base() {
    const { protocol, mountPath = '' } = this.#surroundings
    const { headers, url = '' } = this.#req
    // HTTP/2 has `:authority` in the place of `Host` (RFC 9113 §8.3.1).
    const host = authorityOf(url) ?? headers.host ?? headers[':authority']?.toString()
    // A framework that trusts its proxy hands on whatever X-Forwarded-Proto says, and links are cached.
    const isSecure = protocol === undefined ? isEncrypted(this.#req) : protocol === 'https'
    return host !== undefined && /^[\w.:[\]-]+$/.test(host)
      ? `${isSecure ? 'https' : 'http'}://${host}${mountPath}`
      : mountPath
  }

  get requestId() {
    const { response, requestId } = this.#surroundings
    if (requestId !== undefined) return requestId
    const id = response?.getHeader('x-request-id')
    return typeof id === 'string' ? id : undefined
  }

  get traceId() {
    const { response } = this.#surroundings
    return response && traceIdOf(response)
  }

  body(): MessageBody {
    const { parsedBody } = this.#surroundings
    return parsedBody !== undefined && this.#req.readableDidRead
      ? { kind: 'parsed', value: parsedBody }
      : { kind: 'bytes', bytes: this.#req }
  }
}

/** Node keeps the first of several `Authorization` lines; which of them counts is not the adapter's to decide. */
function withAllCredentials({ headers, rawHeaders }: IncomingMessage): MessageHeaders {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')
  return values.length > 1 ? { ...headers, authorization: values } : headers
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  // Of a request that was destroyed there is no socket, whatever its type says.
  return 'encrypted' in (socket ?? {})
}
