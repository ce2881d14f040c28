import { type Clock, systemClock } from '../clock.ts'

export interface InquiryOptions {
  /** How many questions may be unanswered at a time. @default 3 */
  readonly most?: number | undefined
  /** After how long an unanswered question no longer counts as one: the client has lost it. @default 60000 */
  readonly lostAfterMilliseconds?: number | undefined
  readonly clock?: Clock | undefined
}

interface Question {
  readonly askedAt: number
}

interface Waiter<T> {
  /** The question that this one asked; `undefined` when it waits for the answer to anybody's. */
  readonly own: Question | undefined
  readonly resolve: (answer: T) => void
  readonly reject: (error: unknown) => void
}

/**
 * Asks something that cannot be taken back: a command sent over a user's connection, a system call. One who stops
 * waiting leaves nothing behind but the question, and while too many are unanswered nobody asks another: they wait for
 * an answer to any of those. So a backend that hangs for an hour collects a handful of questions, not thousands, and
 * its first answer, to whichever of them, shows that it is back.
 */
export function createInquiry<T>(
  ask: () => PromiseLike<T>,
  { most = 3, lostAfterMilliseconds = 60_000, clock = systemClock }: InquiryOptions = {},
): (signal: AbortSignal) => Promise<T> {
  const unanswered = new Set<Question>()
  const waiting = new Set<Waiter<T>>()

  const mayAsk = (): boolean => {
    const lost = clock.monotonicTime() - lostAfterMilliseconds
    for (const question of unanswered) {
      if (question.askedAt < lost) {
        unanswered.delete(question)
      }
    }
    return unanswered.size < most
  }

  const send = (question: Question): void => {
    unanswered.add(question)
    start(ask).then(
      (answer) => {
        unanswered.delete(question)
        for (const waiter of waiting) {
          waiter.resolve(answer)
        }
      },
      (error: unknown) => {
        unanswered.delete(question)
        for (const waiter of waiting) {
          if (waiter.own === question || waiter.own === undefined) {
            waiter.reject(error)
          }
        }
      },
    )
  }

  return (signal) =>
    new Promise<T>((resolve, reject) => {
      signal.throwIfAborted()
      const own = mayAsk() ? { askedAt: clock.monotonicTime() } : undefined
      const leave = (): void => {
        waiting.delete(waiter)
        signal.removeEventListener('abort', abort)
      }
      const waiter: Waiter<T> = {
        own,
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
      if (own !== undefined) {
        send(own)
      }
    })
}

/** The promise of `ask`, a rejected one where it throws instead. */
async function start<T>(ask: () => PromiseLike<T>): Promise<T> {
  return await ask()
}
