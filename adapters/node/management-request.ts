import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  authorityOf,
  type ManagementRequest,
  type MessageBody,
  type MessageHeaders,
  traceIdOf,
} from '../../src/entries/adapter.ts'
import { disconnectSignal, extendIdleTimeout } from './client-connection.ts'

/** What a framework knows about a request in addition to node:http. */
export interface RequestSurroundings {
  /** The target below the mount path of the adapter. @default req.url */
  readonly target?: string | undefined
  /** `http` or `https`, according to the proxies that the framework trusts. @default by the socket */
  readonly protocol?: string | undefined
  /** The path below which the adapter is mounted. @default '' */
  readonly mountPath?: string | undefined
  /** The body, if a body parser has read it. */
  readonly parsedBody?: unknown
  /**
   * The response: identifies the trace of the request, has its `X-Request-Id`, and is closed when the client
   * disconnects.
   */
  readonly response?: ServerResponse | undefined
  /** The identifier that the service has given the request. @default the `X-Request-Id` of the response */
  readonly requestId?: string | undefined
}

/**
 * Returns a request of node:http in the form that the core handles. Header fields are read when the core needs them.
 */
export function toManagementRequest(req: IncomingMessage, surroundings: RequestSurroundings = {}): ManagementRequest {
  return new NodeRequest(req, surroundings)
}

/** Returns the message of node:http that a request was created from; `undefined` for a request of another server. */
export function incomingMessageOf(request: ManagementRequest): IncomingMessage | undefined {
  return NodeRequest.messageOf(request)
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

  static messageOf(request: ManagementRequest): IncomingMessage | undefined {
    return #req in request ? request.#req : undefined
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
    // HTTP/2 has `:authority` in place of `Host` (RFC 9113 §8.3.1).
    const host = authorityOf(url) ?? headers.host ?? headers[':authority']?.toString()
    // A framework that trusts its proxy passes on any X-Forwarded-Proto, and links are cached.
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

  get remoteAddress() {
    // A request that was destroyed has no socket, contrary to its type.
    return this.#req.socket?.remoteAddress
  }

  get signal(): AbortSignal | undefined {
    const { response } = this.#surroundings
    return response && disconnectSignal(this.#req, response)
  }

  extendIdleTimeout(milliseconds: number): void {
    extendIdleTimeout(this.#req, this.#surroundings.response, milliseconds)
  }

  body(): MessageBody {
    const { parsedBody } = this.#surroundings
    return parsedBody !== undefined && this.#req.readableDidRead
      ? { kind: 'parsed', value: parsedBody }
      : { kind: 'bytes', bytes: this.#req }
  }
}

/** Node keeps the first of several `Authorization` lines; the core decides which one is valid. */
function withAllCredentials({ headers, rawHeaders }: IncomingMessage): MessageHeaders {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')
  return values.length > 1 ? { ...headers, authorization: values } : headers
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  // A request that was destroyed has no socket, contrary to its type.
  return 'encrypted' in (socket ?? {})
}
