import { type Abortable, createAbortable } from '../../base/abortable.ts'
import { type Clock, systemClock } from '../../base/clock.ts'

interface SharedRequestOptions {
  /**
   * After how many milliseconds a pending request no longer prevents another: it may be stuck on one of several
   * connections, or lost by the client. @default 30000
   */
  readonly lostAfterMilliseconds?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * Sends a request that cannot be cancelled, such as a command over a user's connection or a system call. While it is
 * pending all callers share its response, and a caller whose signal aborts stops waiting. So a backend that hangs does
 * not accumulate requests, and its first response shows that it is back.
 */
export function createSharedRequest<T>(
  send: () => PromiseLike<T>,
  { lostAfterMilliseconds = 30_000, clock = systemClock }: SharedRequestOptions = {},
): (signal: AbortSignal) => Promise<T> {
  const waiting = new Set<Abortable<T>>()
  let pending: { readonly sentAt: number } | undefined

  const isPending = (): boolean =>
    pending !== undefined && clock.monotonicTime() - pending.sentAt < lostAfterMilliseconds

  const start = async (): Promise<void> => {
    const request = { sentAt: clock.monotonicTime() }
    pending = request
    try {
      const response = await send()
      // The response to a request that was regarded as lost is valid too.
      for (const waiter of waiting) waiter.resolve(response)
    } catch (error) {
      if (pending === request) for (const waiter of waiting) waiter.reject(error)
    } finally {
      if (pending === request) pending = undefined
    }
  }

  return async (signal) => {
    signal.throwIfAborted()
    const waiter = createAbortable<T>(signal, () => waiting.delete(waiter))
    waiting.add(waiter)
    if (!isPending()) void start()
    return waiter.promise
  }
}
