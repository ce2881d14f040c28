import { untilAborted } from './until-aborted.ts'

/** A pool, seen by one who borrows from it. */
export interface Lender<C> {
  acquire(): PromiseLike<C>
  /** Gives a connection back; a broken one is closed instead of being lent again. */
  release(connection: C, broken: boolean): void
}

/** More than one, so that a connection attempt that hangs does not keep a probe from one that has become free. */
const mostPending = 3

interface Borrower<C> {
  /** Whether a request to the pool has been made on this one's behalf. */
  requested: boolean
  readonly take: (connection: C) => void
  readonly fail: (error: unknown) => void
}

/**
 * Borrows a connection for one piece of work and gives it back whatever happens; one that has not answered by the time
 * the signal aborts is closed, for it cannot be lent to anybody. A request for a connection cannot be withdrawn from a
 * pool, so a hanging pool is asked three times and no more: whoever comes later waits for one of those, and a connection
 * that arrives when nobody waits any more goes straight back.
 */
export function createLease<C>({
  acquire,
  release,
}: Lender<C>): <T>(signal: AbortSignal, work: (connection: C) => PromiseLike<T>) => Promise<T> {
  const waiting = new Set<Borrower<C>>()
  let pending = 0

  const requestFor = async (borrower: Borrower<C>): Promise<void> => {
    borrower.requested = true
    pending++
    try {
      const connection = await acquire()
      const [first] = waiting
      first === undefined ? release(connection, false) : first.take(connection)
    } catch (error) {
      borrower.fail(error)
    } finally {
      pending--
      requestForOthers()
    }
  }

  const requestForOthers = (): void => {
    for (const borrower of waiting) {
      if (pending < mostPending && !borrower.requested) {
        void requestFor(borrower)
      }
    }
  }

  const borrow = (signal: AbortSignal): Promise<C> =>
    new Promise<C>((resolve, reject) => {
      signal.throwIfAborted()
      const leave = (): void => {
        waiting.delete(borrower)
        signal.removeEventListener('abort', abort)
      }
      const borrower: Borrower<C> = {
        requested: false,
        take: (connection) => {
          leave()
          resolve(connection)
        },
        fail: (error) => {
          leave()
          reject(error)
        },
      }
      const abort = (): void => borrower.fail(signal.reason)
      waiting.add(borrower)
      signal.addEventListener('abort', abort, { once: true })
      requestForOthers()
    })

  return async (signal, work) => {
    const connection = await borrow(signal)
    let broken = true
    try {
      const result = await untilAborted(work(connection), signal)
      broken = false
      return result
    } finally {
      release(connection, broken)
    }
  }
}
