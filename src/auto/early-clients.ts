import { watchEmitters } from '../health/discovery/watch-emitters.ts'

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
export function collectEarlyClients(): EarlyClients | undefined {
  const candidates: WeakRef<object>[] = []
  let found = (candidate: object): void => {
    if (candidates.length < maxCandidates) candidates.push(new WeakRef(candidate))
  }
  let stop: () => void
  try {
    stop = watchEmitters((candidate) => found(candidate))
  } catch {
    return undefined
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
