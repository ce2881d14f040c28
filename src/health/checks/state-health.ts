import { ignoreRejection, isPromise, unexpected } from '../../base/callback.ts'
import type { Health, StateIndicator } from '../indicator.ts'
import type { Checkup } from './checkup.ts'
import type { KnownHealth } from './known-health.ts'
import { downBecause, toHealth } from './to-health.ts'

/** The health of a component that is known without asking: read each time, and the same object while it is the same. */
export function createStateHealth({ state }: StateIndicator, { changed }: Checkup): KnownHealth {
  let latest: Health | undefined

  function read(): Health {
    const health = readState(state)
    if (latest === undefined || !isSame(latest, health)) latest = health
    return latest
  }

  return {
    health() {
      const before = latest?.status
      const health = read()
      if (before !== health.status) changed()
      return health
    },
    known: read,
  }
}

function readState(state: StateIndicator['state']): Health {
  try {
    const answer: unknown = state()
    if (!isPromise(answer)) return toHealth(answer)
    ignoreRejection(answer)
    throw unexpected('a status or { status, details }, which { check } may also return a promise of', answer)
  } catch (error) {
    return downBecause(error)
  }
}

function isSame(one: Health, other: Health): boolean {
  return (
    one.status === other.status &&
    one.description === other.description &&
    (one.details === other.details || JSON.stringify(one.details) === JSON.stringify(other.details))
  )
}
