/** Why a request is exported although it was not going to be; the value of `keptAttribute`. */
export type KeptReason = 'failed' | 'slow' | 'aborted'

/** The attribute of spans and log records that are exported only because of their request. */
export const keptAttribute = 'upkeep.kept'

/** The signal of an item; the value of the tag `signal` of the meters. */
export type HeldSignal = 'traces' | 'logs'

/** The limit because of which an item is dropped: that of its request or that of the process. */
export type ExceededLimit = 'request' | 'process'

/** A span or a log record that is exported only if its request fails, is slow or is aborted. */
export interface HeldItem {
  readonly signal: HeldSignal
  /** The estimated memory. */
  readonly bytes: number
  /** Exports the item with `keptAttribute`. Never throws. */
  keep(reason: KeptReason): void
}

/** The memory of all held requests, and the rule by which they are kept. */
export interface HeldMemory {
  /** Adds bytes to a request; may drop the items of the oldest requests, this one included. */
  take(request: HeldRequest, bytes: number): void
  give(request: HeldRequest, bytes: number): void
  /** Returns why a request is kept; `undefined` if it is not. */
  reasonOf(failure: 'failed' | 'aborted' | undefined, milliseconds: number): KeptReason | undefined
  countDropped(signal: HeldSignal, limit: ExceededLimit): void
  countKept(signal: HeldSignal, reason: KeptReason): void
}

/*
 *            end(): kept                       limit reached
 *   open ───────────────────▶ failed, slow, … ──────────────▶ dropped
 *     └──────────────────────────────────────────────────────────▲
 *            end(): not kept, or discard()
 */
type State = 'open' | KeptReason | 'dropped'

/**
 * The spans and log records of one request that are held until its end. What follows the end of a request that is kept,
 * such as its own span, is exported within the same limit.
 */
export class HeldRequest {
  /** Neighbours in the list of requests with items, which `HeldMemory` maintains. */
  older: HeldRequest | undefined = undefined
  newer: HeldRequest | undefined = undefined
  /** Of the items. */
  bytes: number = 0
  readonly #memory: HeldMemory
  readonly #maximumBytes: number
  #items: HeldItem[] = []
  #state: State = 'open'
  /** Of what has followed the end. */
  #lateBytes = 0

  constructor(memory: HeldMemory, maximumBytes: number) {
    this.#memory = memory
    this.#maximumBytes = maximumBytes
  }

  /** Whether an item would be held or exported. */
  get accepts(): boolean {
    return this.#state !== 'dropped'
  }

  /** Holds an item, and drops the oldest ones beyond the limit. After the end, exports or drops it. */
  add(item: HeldItem): void {
    if (this.#state === 'dropped') return
    if (this.#state !== 'open') {
      this.#addLate(item, this.#state)
      return
    }
    if (item.bytes > this.#maximumBytes) {
      this.#memory.countDropped(item.signal, 'request')
      return
    }
    while (this.bytes + item.bytes > this.#maximumBytes) this.#dropOldest()
    this.#items.push(item)
    this.bytes += item.bytes
    this.#memory.take(this, item.bytes)
  }

  /** Ends the request: exports its items if the rule keeps it, else drops them. Has an effect once. */
  end(failure: 'failed' | 'aborted' | undefined, milliseconds: number): void {
    if (this.#state !== 'open') return
    const reason = this.#memory.reasonOf(failure, milliseconds)
    const items = this.#items
    this.discard()
    if (reason === undefined) return
    this.#state = reason
    for (const item of items) this.#keep(item, reason)
  }

  /** Drops everything that is held, or would be. */
  discard(): void {
    this.#state = 'dropped'
    this.#clear()
  }

  /** Drops and counts what is held; further items are held again. */
  evict(): void {
    for (const { signal } of this.#items) this.#memory.countDropped(signal, 'process')
    this.#clear()
  }

  #clear(): void {
    const { bytes } = this
    this.#items = []
    this.bytes = 0
    if (bytes > 0) this.#memory.give(this, bytes)
  }

  #addLate(item: HeldItem, reason: KeptReason): void {
    this.#lateBytes += item.bytes
    if (this.#lateBytes <= this.#maximumBytes) {
      this.#keep(item, reason)
      return
    }
    this.#state = 'dropped'
    this.#memory.countDropped(item.signal, 'request')
  }

  #keep(item: HeldItem, reason: KeptReason): void {
    this.#memory.countKept(item.signal, reason)
    item.keep(reason)
  }

  #dropOldest(): void {
    const item = this.#items.shift()
    if (item === undefined) return
    this.bytes -= item.bytes
    this.#memory.countDropped(item.signal, 'request')
    this.#memory.give(this, item.bytes)
  }
}
