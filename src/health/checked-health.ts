import type { Clock } from '../clock.ts'
import { durationMilliseconds } from '../duration.ts'
import type { CheckedIndicator, Health } from './indicator.ts'
import { runCheck } from './run-check.ts'
import { downBecause } from './to-health.ts'

/** How many deadlines a check that went past its own may hold back the next one, should it never end. */
const patience = 10

/**
 * The health of a component that has to be asked: from the cache, from the check under way, or from a new one. However
 * many ask, one check runs at a time, and none while the last one, past its deadline, has not let go.
 */
export function createCheckedHealth(
  { check, timeout = '5s', cache = '1s' }: CheckedIndicator,
  clock: Clock,
  path: string,
): () => Health | Promise<Health> {
  const timeoutMilliseconds = durationMilliseconds(timeout, `The timeout of the health indicator ${path}`)
  const cacheMilliseconds = durationMilliseconds(cache, `The cache of the health indicator ${path}`)
  let pending: Promise<Health> | undefined
  let latest: { readonly health: Health; readonly at: number } | undefined
  let running: { readonly since: number } | undefined

  async function runOnce(): Promise<Health> {
    const run = { since: clock.monotonicTime() }
    running = run
    const { health, ended } = runCheck(check, timeoutMilliseconds)
    void ended.then(() => {
      if (running === run) running = undefined
    })
    const result = await health
    latest = { health: result, at: clock.monotonicTime() }
    pending = undefined
    return result
  }

  return () => {
    if (pending !== undefined) return pending
    const now = clock.monotonicTime()
    if (latest !== undefined && now - latest.at < cacheMilliseconds) return latest.health
    if (running !== undefined && now - running.since < patience * timeoutMilliseconds) {
      return downBecause(new DOMException('an earlier check has not ended yet', 'TimeoutError'))
    }
    pending = runOnce()
    return pending
  }
}
