import { isKnownMethod } from '../http/conventions/known-methods.ts'
import type { Timer } from '../metrics/timer.ts'
import { noException, statusTags } from './request-tags.ts'

/** Returns the timer with these tags. */
type ObtainTimer = (uri: string, method: string, status: string, outcome: string, exception: string) => Timer

/** Maximum number of cached templates; more are not templates but paths. */
const maxUris = 1_024

/** Timers of requests, cached by template, method and status to avoid allocations. */
export class RequestTimers {
  readonly #obtain: ObtainTimer
  readonly #failed: (error: unknown) => void
  readonly #byUri = new Map<string, Map<string, Map<number, Timer>>>()

  constructor(obtain: ObtainTimer, failed: (error: unknown) => void) {
    this.#obtain = obtain
    this.#failed = failed
  }

  /**
   * Records a duration in seconds. `status` may be `aborted` or `unanswered`. Never throws: it is called from event
   * listeners.
   */
  record(uri: string, method: string, status: number, exception: string, seconds: number): void {
    try {
      const known = exception === noException ? this.#byUri.get(uri)?.get(method)?.get(status) : undefined
      const timer = known ?? this.#find(uri, isKnownMethod(method) ? method : 'OTHER', status, exception)
      timer.record(seconds)
    } catch (error) {
      this.#failed(error)
    }
  }

  #find(uri: string, method: string, status: number, exception: string): Timer {
    const timer = this.#obtain(uri, method, ...statusTags(status), exception)
    if (exception !== noException) return timer
    if (this.#byUri.size >= maxUris) this.#byUri.clear()
    childOf(childOf(this.#byUri, uri), method).set(status, timer)
    return timer
  }
}

function childOf<K, L, V>(parent: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = parent.get(key)
  if (known !== undefined) return known
  const child = new Map<L, V>()
  parent.set(key, child)
  return child
}
