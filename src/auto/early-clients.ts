import { watchEmitters, watchPublished } from '../health/discovery/watch-emitters.ts'
import type { Traps } from './traps.ts'

/** The clients of databases, caches and brokers that the application creates before its first server. */
export interface EarlyClients {
  /** Passes on what may be a client, and still exists. Stops collecting. */
  passTo(add: (candidate: object) => void): void
  stop(): void
}

/** The most that are kept: an application creates few before it listens. */
const maxCandidates = 1_000

/**
 * Collects them, weakly. What they are is found out by what is loaded later. Returns `undefined` if its file cannot be
 * loaded, which the rest reports when it is.
 */
export function collectEarlyClients(traps: Pick<Traps, 'onFunction'>): EarlyClients | undefined {
  const candidates: WeakRef<object>[] = []
  let found = (candidate: object): void => {
    if (candidates.length < maxCandidates) candidates.push(new WeakRef(candidate))
  }
  let ends: readonly (() => void)[]
  try {
    ends = [watchEmitters((candidate) => found(candidate)), watchPublished((client) => found(client))]
  } catch {
    return undefined
  }
  // It has its other members at the end of this turn. Once passed on, these are found as long as the trap is set.
  traps.onFunction = (candidate) => queueMicrotask(() => found(candidate))
  const stop = (): void => {
    for (const end of ends) end()
  }
  return {
    passTo(add) {
      stop()
      for (const candidate of candidates) {
        const client = candidate.deref()
        if (client !== undefined) add(client)
      }
      // What was created in this turn is passed on at its end.
      found = add
    },
    stop,
  }
}
