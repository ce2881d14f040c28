import { type Clock, systemClock } from '../../base/clock.ts'

export interface InquiryOptions {
  /**
   * After how long a question without an answer no longer keeps another from being asked: it may be stuck on one dead
   * connection of many, or the client may have lost it. @default 30000
   */
  readonly lostAfterMilliseconds?: number | undefined
  readonly clock?: Clock | undefined
}

interface Waiter<T> {
  readonly resolve: (answer: T) => void
  readonly reject: (error: unknown) => void
}

/**
 * Asks something that cannot be taken back: a command sent over a user's connection, a system call. One who stops
 * waiting leaves nothing behind but the question, and while that is unanswered nobody asks another: whoever comes waits
 * for the answer to it. So a backend that hangs for an hour does not collect thousands, and its first answer shows that
 * it is back.
 */
export function createInquiry<T>(
  ask: () => PromiseLike<T>,
  { lostAfterMilliseconds = 30_000, clock = systemClock }: InquiryOptions = {},
): (signal: AbortSignal) => Promise<T> {
  const waiting = new Set<Waiter<T>>()
  let unanswered: { readonly askedAt: number } | undefined

  const isAsked = (): boolean =>
    unanswered !== undefined && clock.monotonicTime() - unanswered.askedAt < lostAfterMilliseconds

  const send = async (): Promise<void> => {
    const question = { askedAt: clock.monotonicTime() }
    unanswered = question
    try {
      const answer = await ask()
      // Even a late one is news.
      for (const waiter of waiting) {
        waiter.resolve(answer)
      }
    } catch (error) {
      for (const waiter of unanswered === question ? waiting : []) {
        waiter.reject(error)
      }
    } finally {
      if (unanswered === question) {
        unanswered = undefined
      }
    }
  }

  return (signal) =>
    new Promise<T>((resolve, reject) => {
      signal.throwIfAborted()
      const leave = (): void => {
        waiting.delete(waiter)
        signal.removeEventListener('abort', abort)
      }
      const waiter: Waiter<T> = {
        resolve: (answer) => {
          leave()
          resolve(answer)
        },
        reject: (error) => {
          leave()
          reject(error)
        },
      }
      const abort = (): void => waiter.reject(signal.reason)
      waiting.add(waiter)
      signal.addEventListener('abort', abort, { once: true })
      if (!isAsked()) {
        void send()
      }
    })
}
