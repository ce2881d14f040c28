import type { Clock } from '../../base/clock.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import { healthOfError } from './check-result.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { InvokeCheck } from './invoke-check.ts'

/** The share of its timeout for which a check holds its slot under a concurrency limit. */
const slotShare = 1 / 5

export interface CheckRunOptions {
  readonly check: HealthCheck
  /** Measured from `start`, so it includes the time in the queue. */
  readonly timeoutMilliseconds: number
  readonly invoke: InvokeCheck
  readonly limit: ConcurrencyLimit
  /** Contains the function that cancels this run, until the run has its result. */
  readonly cancellers: Set<(reason: DOMException) => void>
  /** Called with the result of a check that was invoked, and the milliseconds from its invocation to that result. */
  readonly onResult: (health: Health, milliseconds: number) => void
  readonly clock: Clock
}

/**
 * One run of a check.
 *
 *     created ──start()──▶ queued ──slot is free──▶ running ──check settles──▶ settled
 *                             │                        │                          ▲
 *                             │                        │ timeout, cancel()        │ check settles late
 *                             │                        ▼                          │
 *                             │                    abandoned ─────────────────────┤
 *                             └───────────────timeout, cancel()───────────────────┘
 *
 * The run has its result as soon as it leaves `queued` or `running` for `abandoned` or `settled`. On `abandoned` the
 * signal of the check is aborted, and what the check returns later is ignored.
 */
export class CheckRun {
  /** Resolves with the result, at the timeout at the latest. Never rejects. */
  readonly health: Promise<Health>
  /** Resolves when the check itself has settled, or will not be invoked; never, if the check hangs forever. */
  readonly settled: Promise<void>
  readonly #options: CheckRunOptions
  readonly #controller = new AbortController()
  readonly #cancel = (reason: DOMException): void => this.#abandon(reason)
  #state: 'created' | 'queued' | 'running' | 'abandoned' | 'settled' = 'created'
  #startedAt = 0
  #invokedAt = 0
  #timer: NodeJS.Timeout | undefined
  #releaseSlot = (): void => {}
  #resolveHealth: (health: Health) => void = () => {}
  #resolveSettled: () => void = () => {}

  constructor(options: CheckRunOptions) {
    this.#options = options
    this.health = new Promise((resolve) => {
      this.#resolveHealth = resolve
    })
    this.settled = new Promise((resolve) => {
      this.#resolveSettled = resolve
    })
  }

  get hasSettled(): boolean {
    return this.#state === 'settled'
  }

  start(): void {
    const { timeoutMilliseconds, cancellers, limit, clock } = this.#options
    this.#startedAt = clock.monotonicTime()
    this.#timer = setUnrefTimeout(() => this.#timeOut(), timeoutMilliseconds)
    cancellers.add(this.#cancel)
    this.#releaseSlot = limit.acquire(() => this.#run(), timeoutMilliseconds * slotShare)
    if (this.#state === 'created') this.#state = 'queued'
  }

  #run(): void {
    const { check, timeoutMilliseconds, invoke, clock } = this.#options
    const now = clock.monotonicTime()
    // The slot became free because others timed out, at the same time as this run does.
    if (this.#state === 'queued' && now - this.#startedAt >= timeoutMilliseconds) {
      this.#timeOut()
      return
    }
    this.#state = 'running'
    this.#invokedAt = now
    invoke(
      () => check(this.#controller.signal),
      (health) => {
        if (this.#state === 'running') this.#complete('settled', health)
        this.#state = 'settled'
        this.#resolveSettled()
      },
    )
  }

  #timeOut(): void {
    const { timeoutMilliseconds } = this.#options
    const reason = this.#state === 'queued' ? 'not started, because of the concurrency limit,' : 'no response'
    this.#abandon(new DOMException(`${reason} within ${timeoutMilliseconds} ms`, 'TimeoutError'))
  }

  #abandon(reason: DOMException): void {
    if (this.#state === 'running') {
      this.#complete('abandoned', healthOfError(reason))
      this.#controller.abort(reason)
    } else {
      this.#complete('settled', healthOfError(reason))
      this.#resolveSettled()
    }
  }

  #complete(next: 'abandoned' | 'settled', health: Health): void {
    const { cancellers, onResult, clock } = this.#options
    const wasInvoked = this.#state === 'running'
    this.#state = next
    clearTimeout(this.#timer)
    cancellers.delete(this.#cancel)
    this.#releaseSlot()
    if (wasInvoked) onResult(health, clock.monotonicTime() - this.#invokedAt)
    this.#resolveHealth(health)
  }
}
