import type { Clock } from '../../base/clock.ts'
import { describeValue } from '../../base/describe-value.ts'
import { durationMilliseconds } from '../../base/duration.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import type { Health, Tolerance } from '../indicator.ts'
import { statusKey } from '../status.ts'

/**
 * Creates a function that receives a component's results in order and returns its health. While a failure is tolerated
 * the component keeps its last status other than `DOWN`, with the details of the failure and `tolerated`. A component
 * that has always been `DOWN` stays `DOWN`. `option` is the path of the option, for messages.
 *
 * @throws RangeError if neither a number of failures nor a duration is given, or one of them is invalid.
 */
export function createFailureTolerance(
  tolerance: Tolerance | undefined,
  clock: Clock,
  option: string,
): (health: Health) => Health {
  if (tolerance === undefined) return (health) => health
  const maxFailures = readFailures(tolerance, option)
  const maxMilliseconds =
    tolerance.for === undefined ? Number.POSITIVE_INFINITY : durationMilliseconds(tolerance.for, `${option}.for`)
  let lastGood: Health | undefined
  let failing = { failures: 0, from: 0, since: '' }

  return (health) => {
    if (statusKey(health.status) !== 'down') {
      lastGood = health
      failing = { failures: 0, from: 0, since: '' }
      return health
    }
    const now = clock.monotonicTime()
    const failures = failing.failures + 1
    failing = failures > 1 ? { ...failing, failures } : { failures, from: now, since: formatTime(clock.wallTime()) }
    if (lastGood === undefined || failures > maxFailures || now - failing.from >= maxMilliseconds) return health
    const tolerated = { status: health.status, failures, since: failing.since }
    return { ...lastGood, details: { ...health.details, tolerated } }
  }
}

function readFailures({ failures, for: duration }: Tolerance, option: string): number {
  if (failures === undefined && duration !== undefined) return Number.POSITIVE_INFINITY
  if (typeof failures === 'number' && Number.isInteger(failures) && failures > 0) return failures
  throw optionOutOfRange(
    `${option}.failures: expected a whole number of 1 or more, or "for" with a duration, ` +
      `received ${describeValue(failures)}`,
  )
}

/** Returns ISO 8601, or an empty string for an invalid time: an application's clock must not make a check fail. */
function formatTime(milliseconds: number): string {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
