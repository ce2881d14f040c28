import type { Clock } from '../../base/clock.ts'

/** The times in which a delivery may send: each from the beginning of a flush until its deadline. */
export class FlushWindow {
  readonly #clock: Clock
  #deadline: number = Number.NEGATIVE_INFINITY
  readonly #waiting = new Set<() => void>()
  #suspended = createSignal()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Opens it. Resolves when the delivery waits for the next time, which is earlier if the receiver is away. */
  open(deadline: number): Promise<void> {
    this.#deadline = Math.max(this.#deadline, deadline)
    for (const wake of [...this.#waiting]) wake()
    return this.#suspended.sent
  }

  /** Milliseconds until it closes; negative if it is closed. */
  get remaining(): number {
    return this.#deadline - this.#clock.monotonicTime()
  }

  /** Resolves when it is opened again, or `signal` is aborted. Without a timer: the process may be frozen meanwhile. */
  next(signal: AbortSignal): Promise<void> {
    this.#suspended.send()
    this.#suspended = createSignal()
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}

interface Signal {
  readonly sent: Promise<void>
  readonly send: () => void
}

function createSignal(): Signal {
  let send = () => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  return { sent, send }
}
