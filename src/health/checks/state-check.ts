import { ignoreRejection, isPromise, unexpected } from '../../base/callback.ts'
import type { Health, StateIndicator } from '../indicator.ts'
import { healthOfError, toHealth } from './check-result.ts'
import type { CheckRunner } from './check-runner.ts'
import type { HealthSource } from './health-source.ts'

/** Creates the health of a component whose state is read synchronously, each time. */
export function createStateCheck({ state }: StateIndicator, { onStatusChange }: CheckRunner): HealthSource {
  let latest: Health | undefined

  function read(): Health {
    const health = readState(state)
    if (latest === undefined || !isSame(latest, health)) latest = health
    return latest
  }

  return {
    check() {
      const before = latest?.status
      const health = read()
      if (before !== health.status) onStatusChange()
      return health
    },
    latest: read,
  }
}

function readState(state: StateIndicator['state']): Health {
  try {
    const returned: unknown = state()
    if (!isPromise(returned)) return toHealth(returned)
    ignoreRejection(returned)
    throw unexpected('a status or { status, details }, which { check } may also return a promise of', returned)
  } catch (error) {
    return healthOfError(error)
  }
}

function isSame(a: Health, b: Health): boolean {
  return (
    a.status === b.status &&
    a.description === b.description &&
    (a.details === b.details || JSON.stringify(a.details) === JSON.stringify(b.details))
  )
}
