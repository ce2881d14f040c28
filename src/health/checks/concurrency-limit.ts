import { setUnrefTimeout } from '../../base/timers.ts'

/** Limits how many checks run at once. */
export interface ConcurrencyLimit {
  /**
   * Calls `start` when a slot is free: synchronously if one is, otherwise in the order of the calls. Returns a function
   * that releases the slot, or leaves the queue. A slot is released after `maxHoldMilliseconds` in any case, so that a
   * slow check does not block the others.
   */
  readonly acquire: (start: () => void, maxHoldMilliseconds: number) => () => void
}

/** Starts everything immediately. */
export const unlimited: ConcurrencyLimit = {
  acquire(start) {
    start()
    return () => {}
  },
}

interface Entry {
  readonly start: () => void
  readonly maxHoldMilliseconds: number
  readonly release: () => void
}

export function createConcurrencyLimit(slots: number): ConcurrencyLimit {
  const queue = new Set<Entry>()
  const holding = new Map<Entry, NodeJS.Timeout>()

  function startQueued(): void {
    for (const entry of queue) {
      if (holding.size >= slots) return
      queue.delete(entry)
      holding.set(entry, setUnrefTimeout(entry.release, entry.maxHoldMilliseconds))
      entry.start()
    }
  }

  return {
    acquire(start, maxHoldMilliseconds) {
      const release = (): void => {
        if (queue.delete(entry) || !holding.has(entry)) return
        clearTimeout(holding.get(entry))
        holding.delete(entry)
        startQueued()
      }
      const entry: Entry = { start, maxHoldMilliseconds, release }
      queue.add(entry)
      startQueued()
      return release
    },
  }
}
