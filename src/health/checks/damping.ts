import type { Clock } from '../../base/clock.ts'
import { durationMilliseconds } from '../../base/duration.ts'
import type { Health, Tolerance } from '../indicator.ts'
import { statusKey } from '../status.ts'

/**
 * Makes the function that judges a component's results in their order: while failures are tolerated the component stays
 * what it was, with the details of the failure and `tolerated`. A component that was never otherwise is `DOWN` at once.
 *
 * @throws RangeError when a tolerance tolerates nothing, or something for ever.
 */
export function createDamping(
  tolerance: Tolerance | undefined,
  clock: Clock,
  path: string,
): (health: Health) => Health {
  if (tolerance === undefined) return (health) => health
  const mostFailures = readFailures(tolerance, path)
  const longest = readDuration(tolerance, path)
  let good: Health | undefined
  let failing = { failures: 0, from: 0, since: '' }

  return (health) => {
    if (statusKey(health.status) !== 'down') {
      good = health
      failing = { failures: 0, from: 0, since: '' }
      return health
    }
    const now = clock.monotonicTime()
    const failures = failing.failures + 1
    failing = failures > 1 ? { ...failing, failures } : { failures, from: now, since: formatTime(clock.wallTime()) }
    if (good === undefined || failures > mostFailures || now - failing.from >= longest) return health
    const tolerated = { status: health.status, failures, since: failing.since }
    return { ...good, details: { ...health.details, tolerated } }
  }
}

function readFailures({ failures, for: time }: Tolerance, path: string): number {
  if (failures === undefined && time !== undefined) return Number.POSITIVE_INFINITY
  if (typeof failures === 'number' && Number.isInteger(failures) && failures > 0) return failures
  throw new RangeError(
    `The health indicator ${path} must tolerate a whole number of failures of 1 or more, { failures: 3 }, or failures for a time, { for: '30s' }, not ${JSON.stringify(failures)}`,
  )
}

function readDuration({ for: time }: Tolerance, path: string): number {
  const what = `The time for which the health indicator ${path} tolerates failures`
  return time === undefined ? Number.POSITIVE_INFINITY : durationMilliseconds(time, what)
}

/** A clock may be anything; a time that is none must not cost the component its health. */
function formatTime(milliseconds: number): string {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
