import { isKnownMethod } from '../../http/conventions/known-methods.ts'
import { pathOf } from '../../http/conventions/target.ts'
import { isFieldName } from '../../tracing/context/received-context.ts'
import type { Attributes } from '../../tracing/span.ts'
import type { AddAttribute, DeferredAttributes, RecordedValue } from '../../tracing/spans/attributes.ts'
import type { RequestView } from './exchange-view.ts'
import type { RedactPath } from './path-redaction.ts'
import { targetOf } from './target-of.ts'

/**
 * The attributes of a server span by OpenTelemetry's HTTP conventions: those from its start, and those of its end. The
 * query, which may contain secrets, and the client are not recorded; the path is redacted without a route until that is
 * known. Does not reference the request, which is over when the span is exported.
 */
export class ServerAttributes implements DeferredAttributes {
  readonly #method: string
  readonly #target: string
  readonly #isEncrypted: boolean
  #host: string | undefined = undefined
  #authority: string | undefined = undefined
  #userAgent: string | undefined = undefined

  #template: string | undefined = undefined
  #status: number | undefined = undefined
  #errorType: string | undefined = undefined

  readonly #redactPath: RedactPath

  constructor(request: RequestView, redactPath: RedactPath) {
    this.#redactPath = redactPath
    const { method = 'GET', rawHeaders, socket } = request
    this.#method = method
    this.#target = targetOf(request)
    // A destroyed request has no socket, despite its type.
    this.#isEncrypted = socket !== undefined && 'encrypted' in socket
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] as string
      if (isFieldName(name, 'host')) this.#host ??= rawHeaders[at + 1]
      else if (isFieldName(name, 'user-agent')) this.#userAgent ??= rawHeaders[at + 1]
      else if (isFieldName(name, ':authority')) this.#authority ??= rawHeaders[at + 1]
    }
  }

  /** Adds what is known when the request has ended. */
  end(template: string | undefined, status: number | undefined, errorType: string | undefined): void {
    this.#template = template
    this.#status = status
    this.#errorType = errorType
  }

  compute(): Attributes {
    const attributes: Record<string, RecordedValue> = {}
    this.forEach((key, value) => {
      attributes[key] = value
    })
    // Safe: no value is an array.
    return attributes as Attributes
  }

  forEach(add: AddAttribute): void {
    const isKnown = isKnownMethod(this.#method)
    add('http.request.method', isKnown ? this.#method : '_OTHER')
    if (!isKnown) add('http.request.method_original', this.#method)
    add('url.scheme', this.#isEncrypted ? 'https' : 'http')
    add('url.path', this.#redactPath(pathOf(this.#target), this.#template))
    const server = this.#host ?? this.#authority ?? ''
    const colon = portColonOf(server)
    if (server !== '') add('server.address', colon === -1 ? server : server.slice(0, colon))
    if (colon !== -1) add('server.port', Number(server.slice(colon + 1)))
    if (this.#userAgent !== undefined) add('user_agent.original', this.#userAgent)
    if (this.#template !== undefined) add('http.route', this.#template)
    if (this.#status !== undefined) add('http.response.status_code', this.#status)
    if (this.#errorType !== undefined) add('error.type', this.#errorType)
  }
}

/** Where the port begins in a host, `-1` where it has none; an address of IPv6 has colons of its own. */
function portColonOf(host: string): number {
  const colon = host.lastIndexOf(':')
  if (colon === -1 || colon < host.indexOf(']')) return -1
  const port = Number(host.slice(colon + 1))
  return port > 0 && port < 65_536 ? colon : -1
}
