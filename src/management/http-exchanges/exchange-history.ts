import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import { ExchangeSlot } from './exchange-slot.ts'

interface ExchangeHistoryLimits {
  /** In exchanges. */
  readonly capacity: number
  readonly maximumBytes: number
  readonly requestHeaders: readonly string[]
  readonly responseHeaders: readonly string[]
}

/** The last exchanges, in a ring of slots. */
export class ExchangeHistory {
  readonly #limits: ExchangeHistoryLimits
  readonly #slots: ExchangeSlot[] = []
  /** The position of the next exchange. */
  #next = 0
  #size = 0
  #bytes = 0
  #dropped = 0

  constructor(limits: ExchangeHistoryLimits) {
    this.#limits = limits
  }

  /** How many exchanges were dropped because of their size. */
  get dropped(): number {
    return this.#dropped
  }

  /** Called with each request: allocates only while the slots are new. */
  add(request: EndedRequest): void {
    const { capacity, maximumBytes, requestHeaders, responseHeaders } = this.#limits
    const slot = this.#slots[this.#next] ?? new ExchangeSlot()
    this.#slots[this.#next] = slot
    if (this.#size === capacity) this.#bytes -= slot.bytes
    else this.#size += 1
    slot.record(request, requestHeaders, responseHeaders)
    this.#bytes += slot.bytes
    this.#next = this.#next + 1 === capacity ? 0 : this.#next + 1
    while (this.#bytes > maximumBytes) this.#dropOldest()
  }

  /** Returns the exchanges, the latest one first. The slots are reused with the next request. */
  read(): readonly ExchangeSlot[] {
    return Array.from({ length: this.#size }, (_, age) => this.#at(age + 1))
  }

  clear(): void {
    this.#slots.length = 0
    this.#next = 0
    this.#size = 0
    this.#bytes = 0
  }

  #dropOldest(): void {
    const oldest = this.#at(this.#size)
    this.#bytes -= oldest.bytes
    this.#size -= 1
    this.#dropped += 1
    oldest.clear()
  }

  /** Returns the exchange that was added `age` exchanges ago, from 1. */
  #at(age: number): ExchangeSlot {
    const { capacity } = this.#limits
    return this.#slots[(this.#next - age + capacity) % capacity] as ExchangeSlot
  }
}
