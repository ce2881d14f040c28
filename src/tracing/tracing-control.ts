import type { Clock } from '../base/clock.ts'
import { setUnrefTimeout } from '../base/timers.ts'
import type { HeldRequests, KeepingRule } from './held/held-requests.ts'
import type { HeadSampler } from './trace-sampler.ts'

/** What decides which traces and requests are exported. */
export interface TracingRules {
  /** The share of new traces that are sampled; `undefined` if the sampler of the application's SDK decides alone. */
  readonly probability: number | undefined
  /** `undefined` if requests that are not sampled are never exported. */
  readonly keeping: KeepingRule | undefined
}

/** The rules of a tracing, which can be changed for a time. */
export class TracingControl {
  readonly sampler: HeadSampler
  /** `undefined` where upkeep does not record the spans. */
  readonly held: HeldRequests | undefined
  readonly configured: TracingRules
  /** When the configured rules apply again, in milliseconds since the epoch; `undefined` while they apply. */
  revertsAt: number | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(sampler: HeadSampler, held: HeldRequests | undefined) {
    this.sampler = sampler
    this.held = held
    this.configured = { probability: sampler.probability, keeping: held?.rule }
  }

  get current(): TracingRules {
    return { probability: this.sampler.probability, keeping: this.held?.rule }
  }

  /** Applies rules until `milliseconds` have passed, in place of an earlier change. */
  change(rules: TracingRules, milliseconds: number, clock: Clock): void {
    this.revert()
    this.#apply(rules)
    this.revertsAt = clock.wallTime() + milliseconds
    this.#timer = setUnrefTimeout(() => this.revert(), milliseconds)
  }

  /** Applies the configured rules again. */
  revert(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.revertsAt = undefined
    this.#apply(this.configured)
  }

  #apply({ probability, keeping }: TracingRules): void {
    this.sampler.probability = probability
    if (this.held !== undefined) this.held.rule = keeping
  }
}
