import type { Duration } from '../../base/duration.ts'
import { type ExceededLimit, type HeldMemory, HeldRequest, type HeldSignal, type KeptReason } from './held-request.ts'

/** The rule by which requests are exported that are not sampled: those that fail, are aborted or are slow. */
export interface KeepingRule {
  /** A request that takes at least as long is slow. */
  readonly slowerThan: Duration
  readonly slowMilliseconds: number
}

/** Counts what becomes of the items. Never throws. */
export interface HeldMeters {
  dropped(signal: HeldSignal, limit: ExceededLimit): void
  exported(signal: HeldSignal, reason: KeptReason): void
  /** Removes the gauge; counters are kept. */
  close(): void
}

/** The estimated memory of one request, in bytes. */
const maximumRequestBytes = 64 * 1024

/** The estimated memory of all requests, in bytes. */
const maximumBytes = 16 * 1024 * 1024

/**
 * Holds spans and log records that are not exported until their request has ended. All requests share one budget: if it
 * is exceeded, those whose items are oldest are dropped first.
 */
export class HeldRequests implements HeldMemory {
  #rule: KeepingRule | undefined = undefined
  readonly #createMeters: (held: HeldRequests) => HeldMeters
  #meters: HeldMeters | undefined = undefined
  #bytes = 0
  #oldest: HeldRequest | undefined = undefined
  #newest: HeldRequest | undefined = undefined

  /** The meters are created with the first rule: without one nothing is held. */
  constructor(createMeters: (held: HeldRequests) => HeldMeters) {
    this.#createMeters = createMeters
  }

  /** Applies to requests that end from now on; held are those that begin while there is a rule. */
  get rule(): KeepingRule | undefined {
    return this.#rule
  }

  set rule(rule: KeepingRule | undefined) {
    this.#rule = rule
    if (rule !== undefined) this.#meters ??= this.#createMeters(this)
  }

  /** The estimated memory of all items. */
  get bytes(): number {
    return this.#bytes
  }

  begin(): HeldRequest {
    return new HeldRequest(this, maximumRequestBytes)
  }

  /** Drops everything that is held. */
  close(): void {
    this.#rule = undefined
    while (this.#oldest !== undefined) this.#oldest.discard()
    this.#meters?.close()
  }

  reasonOf(failure: 'failed' | 'aborted' | undefined, milliseconds: number): KeptReason | undefined {
    if (this.#rule === undefined) return undefined
    return failure ?? (milliseconds >= this.#rule.slowMilliseconds ? 'slow' : undefined)
  }

  take(request: HeldRequest, bytes: number): void {
    if (request !== this.#newest && request.newer === undefined) this.#append(request)
    this.#bytes += bytes
    while (this.#bytes > maximumBytes) this.#oldest?.evict()
  }

  give(request: HeldRequest, bytes: number): void {
    this.#bytes -= bytes
    if (request.bytes === 0) this.#remove(request)
  }

  countDropped(signal: HeldSignal, limit: ExceededLimit): void {
    this.#meters?.dropped(signal, limit)
  }

  countKept(signal: HeldSignal, reason: KeptReason): void {
    this.#meters?.exported(signal, reason)
  }

  #append(request: HeldRequest): void {
    request.older = this.#newest
    if (this.#newest === undefined) this.#oldest = request
    else this.#newest.newer = request
    this.#newest = request
  }

  #remove(request: HeldRequest): void {
    const { older, newer } = request
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    request.older = undefined
    request.newer = undefined
  }
}
