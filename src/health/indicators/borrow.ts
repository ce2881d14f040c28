import { type Abortable, createAbortable, untilAborted } from '../../base/abortable.ts'

/** A pool of connections. */
export interface Pool<C> {
  acquire(): PromiseLike<C>
  /** Returns a connection to the pool; a broken one is closed instead. */
  release(connection: C, isBroken: boolean): void
}

/** Borrows a connection for one piece of work. */
type Borrow<C> = <T>(signal: AbortSignal, work: (connection: C) => PromiseLike<T>) => Promise<T>

/**
 * More than one, so that a connection attempt that hangs does not delay a probe for which a connection becomes free.
 */
const maxPendingAcquires = 3

interface Borrower<C> extends Abortable<C> {
  /** Whether the pool has been called for this borrower. */
  hasAcquired: boolean
}

/**
 * Creates a function that borrows connections of a pool, and always releases them. A connection whose work has not
 * completed when the signal aborts is closed. An `acquire()` cannot be cancelled, so at most three are pending: later
 * borrowers wait for one of those, and a connection for which no borrower waits is released immediately.
 */
export function createBorrow<C>({ acquire, release }: Pool<C>): Borrow<C> {
  const waiting = new Set<Borrower<C>>()
  let pendingAcquires = 0

  const acquireFor = async (borrower: Borrower<C>): Promise<void> => {
    borrower.hasAcquired = true
    pendingAcquires++
    try {
      const connection = await acquire()
      const [first] = waiting
      if (first === undefined) release(connection, false)
      else first.resolve(connection)
    } catch (error) {
      borrower.reject(error)
    } finally {
      pendingAcquires--
      acquireForOthers()
    }
  }

  const acquireForOthers = (): void => {
    for (const borrower of waiting) {
      if (pendingAcquires < maxPendingAcquires && !borrower.hasAcquired) void acquireFor(borrower)
    }
  }

  const borrowConnection = async (signal: AbortSignal): Promise<C> => {
    signal.throwIfAborted()
    const borrower: Borrower<C> = {
      ...createAbortable<C>(signal, () => waiting.delete(borrower)),
      hasAcquired: false,
    }
    waiting.add(borrower)
    acquireForOthers()
    return borrower.promise
  }

  return async (signal, work) => {
    const connection = await borrowConnection(signal)
    let isBroken = true
    try {
      const result = await untilAborted(work(connection), signal)
      isBroken = false
      return result
    } finally {
      release(connection, isBroken)
    }
  }
}
