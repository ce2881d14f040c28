import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'

/** Longer values are omitted: what a client sends must not decide how much memory is used. */
const maxTargetLength = 2_048
const maxHeaderLength = 1_024
const maxMethodLength = 32

/** The size of a slot without its strings, in bytes. */
const slotBytes = 256

/**
 * One request of the past, in a slot that is reused: recording allocates nothing. Strings are those of the request and
 * of the routes, and are prepared for display when they are read.
 */
export class ExchangeSlot {
  method: string = ''
  template: string | undefined = undefined
  target: string = ''
  scheme: 'http' | 'https' = 'http'
  authority: string | undefined = undefined
  status: number = 0
  isAborted: boolean = false
  seconds: number = 0
  endedAt: number = 0
  traceId: string | undefined = undefined
  requestBytes: number | undefined = undefined
  responseBytes: number | undefined = undefined
  readonly requestHeaders: (string | undefined)[] = []
  readonly responseHeaders: (string | undefined)[] = []
  /** The size of the slot with its strings, in bytes. */
  bytes: number = 0

  record(request: EndedRequest, requestNames: readonly string[], responseNames: readonly string[]): void {
    const { method, target, authority } = request
    this.method = method.length <= maxMethodLength ? method : 'UNKNOWN'
    this.template = request.template
    this.target = target.length <= maxTargetLength ? target : ''
    this.scheme = request.scheme
    this.authority = limited(authority)
    this.isAborted = request.isAborted
    this.status = request.isAborted ? (request.sentStatus ?? 0) : request.status
    this.seconds = request.seconds
    this.endedAt = request.endedAt
    this.traceId = request.trace?.traceId
    // Requests without content rarely have a length, and it is the last field that would be found.
    this.requestBytes = method === 'GET' || method === 'HEAD' ? undefined : request.requestBytes
    this.responseBytes = request.responseBytes
    this.bytes = slotBytes + this.target.length + (this.authority?.length ?? 0)
    for (let at = 0; at < requestNames.length; at++) {
      this.bytes += this.#keep(this.requestHeaders, at, request.requestHeader(requestNames[at] as string))
    }
    for (let at = 0; at < responseNames.length; at++) {
      const name = responseNames[at] as string
      // It is kept as a number.
      if (name === 'content-length') continue
      this.bytes += this.#keep(this.responseHeaders, at, request.responseHeader(name))
    }
  }

  /** Releases the strings. */
  clear(): void {
    this.target = ''
    this.template = undefined
    this.authority = undefined
    this.traceId = undefined
    this.requestHeaders.fill(undefined)
    this.responseHeaders.fill(undefined)
    this.bytes = 0
  }

  #keep(kept: (string | undefined)[], at: number, value: string | undefined): number {
    kept[at] = limited(value)
    return kept[at]?.length ?? 0
  }
}

function limited(value: string | undefined): string | undefined {
  return value === undefined || value.length > maxHeaderLength ? undefined : value
}
