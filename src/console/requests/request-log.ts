import { describeError } from '../../base/error-text.ts'
import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import { uriOf } from '../../instrumentation/request-tags.ts'
import type { RequestDocument, RequestFacts } from '../documents.ts'
import { showText } from '../shown-values.ts'
import { isFailure } from '../vitals/request-vitals.ts'
import { barePathOf, maxMethodLength, maxTargetLength } from './running-requests.ts'

const maxStackLength = 2_000

/** The estimated memory of a request that is kept, in bytes: one for a while, and one with its error. */
const slotBytes = 256 + maxTargetLength
const keptBytes = slotBytes + 2 * maxStackLength

/** The error that caused a response. */
interface RequestError {
  readonly message: string
  readonly stack: string | undefined
}

/** A request of the past, in a slot that is reused: recording one that is neither slow nor failed allocates nothing. */
class RequestSlot {
  sequence = 0
  method = ''
  template: string | undefined = undefined
  target = ''
  status = 0
  isAborted = false
  seconds = 0
  endedAt = 0
  exception = ''
  traceId: string | undefined = undefined
  kept: RequestFacts['kept'] = undefined
  error: RequestError | undefined = undefined

  /** The name of its route, as the statistics of the routes have it. */
  get route(): string {
    return uriOf(this.template, this.status)
  }

  record(sequence: number, request: EndedRequest, kept: RequestFacts['kept']): void {
    const { method, target, status } = request
    this.sequence = sequence
    this.method = method.length <= maxMethodLength ? method : 'UNKNOWN'
    this.template = request.template
    this.target = target.length <= maxTargetLength ? target : ''
    this.isAborted = request.isAborted
    this.status = request.isAborted ? (request.sentStatus ?? 0) : status
    this.seconds = request.seconds
    this.endedAt = request.endedAt
    this.exception = request.exception
    this.traceId = request.trace?.traceId
    this.kept = kept
    this.error = kept === undefined || request.error === undefined ? undefined : readError(request.error)
  }
}

function readError(error: unknown): RequestError {
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : undefined
  return { message: describeError(error), stack: stack && showText(stack, maxStackLength) }
}

/** One of the requests to a route. */
export interface RequestExample {
  readonly id: string
  readonly seconds: number
  readonly isFailed: boolean
  readonly traceId: string | undefined
  /** The error that caused the response, on one line, without credentials. */
  readonly exception: string | undefined
}

/** A ring of slots. */
class Ring {
  readonly #slots: RequestSlot[] = []
  readonly #capacity: number
  #next = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#slots.length
  }

  next(): RequestSlot {
    const slot = this.#slots[this.#next] ?? new RequestSlot()
    this.#slots[this.#next] = slot
    this.#next = (this.#next + 1) % this.#capacity
    return slot
  }

  all(): readonly RequestSlot[] {
    return this.#slots
  }
}

interface RequestLogOptions {
  readonly maximumBytes: number
  readonly slowSeconds: number
  readonly redactPath: (path: string, template: string | undefined) => string
}

/** The last requests; those that failed or were slow are kept for longer, as others do not replace them. */
export class RequestLog {
  readonly #options: RequestLogOptions
  readonly #recent: Ring
  readonly #kept: Ring
  #sequence = 0

  constructor(options: RequestLogOptions) {
    this.#options = options
    const half = options.maximumBytes / 2
    this.#recent = new Ring(Math.max(16, Math.floor(half / slotBytes)))
    this.#kept = new Ring(Math.max(8, Math.floor(half / keptBytes)))
  }

  get bytes(): number {
    return this.#recent.size * slotBytes + this.#kept.size * keptBytes
  }

  /** Returns whether the request is kept for longer. */
  record(request: EndedRequest): boolean {
    this.#sequence += 1
    const reason = isFailure(request) ? 'failed' : request.seconds >= this.#options.slowSeconds ? 'slow' : undefined
    const ring = reason === undefined ? this.#recent : this.#kept
    ring.next().record(this.#sequence, request, reason)
    return reason !== undefined
  }

  /** Returns the requests, the latest first. `timeOrigin` is the wall time at 0 of the monotonic time. */
  read(timeOrigin: number): readonly RequestFacts[] {
    const slots = [...this.#recent.all(), ...this.#kept.all()].sort((one, other) => other.sequence - one.sequence)
    return slots.map((slot) => this.#show(slot, timeOrigin))
  }

  find(id: string, timeOrigin: number): RequestDocument['request'] | undefined {
    const slot = [...this.#recent.all(), ...this.#kept.all()].find(({ sequence }) => String(sequence) === id)
    if (slot === undefined) return undefined
    return { ...this.#show(slot, timeOrigin), errorMessage: slot.error?.message, errorStack: slot.error?.stack }
  }

  /** Returns the requests to a route that ended at `since` or later, in monotonic time; in no order. */
  examplesOf(method: string, route: string, since: number): readonly RequestExample[] {
    const slots = [...this.#recent.all(), ...this.#kept.all()]
    return slots
      .filter((slot) => slot.endedAt >= since && slot.method === method && slot.route === route)
      .map(({ sequence, seconds, exception, traceId, kept, error }) => ({
        ...{ id: String(sequence), seconds, traceId, isFailed: kept === 'failed' },
        exception: exception === 'none' ? undefined : (error?.message ?? exception),
      }))
  }

  #show(slot: RequestSlot, timeOrigin: number): RequestFacts {
    const { method, template, status, isAborted, seconds, exception, traceId, kept } = slot
    const path = barePathOf(slot.target)
    return {
      ...{ id: String(slot.sequence), at: timeOrigin + slot.endedAt - seconds * 1_000, method, route: template },
      ...{ path: this.#options.redactPath(path, template), status, isAborted, seconds, traceId, kept },
      error: exception === 'none' ? undefined : exception,
    }
  }
}
