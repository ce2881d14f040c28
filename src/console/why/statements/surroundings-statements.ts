import { baselineOf, scoreOf } from '../baseline.ts'
import { formatTimes } from '../shown-figures.ts'
import type { WhyStatement } from '../why-document.ts'
import { type WhyInput, windowMilliseconds } from '../why-input.ts'

const trafficFactor = 3
const trafficScore = 6
const minimumRequests = 100

/** Much more traffic than usual. It is the cause of something only if something else is wrong. */
export function trafficStatements({ histories }: WhyInput): readonly WhyStatement[] {
  const { recent, minutes } = histories.traffic()
  const baseline = baselineOf(minutes)
  if (baseline === undefined || recent < minimumRequests || recent < trafficFactor * baseline.median) return []
  if (scoreOf(recent, baseline, baseline.median / 4) < trafficScore) return []
  return [
    {
      ...({ kind: 'traffic', severity: 'warning', weight: 70 } as const),
      text: `${recent} requests in a minute, ${formatTimes(recent, baseline.median)} the usual ${baseline.median}`,
      evidence: [{ name: 'requests per minute', value: recent, baseline: baseline.median }],
      ...{ traces: [], link: '#/overview' },
    },
  ]
}

/** A clock of the system that jumped: what compares times, such as tokens and caches, may fail. */
export function clockStatements({ histories: { shift }, now }: WhyInput): readonly WhyStatement[] {
  if (shift === undefined || now - shift.at > windowMilliseconds) return []
  const seconds = Math.round(10 * shift.seconds) / 10
  return [
    {
      ...({ kind: 'clock', severity: 'warning', weight: 72, since: shift.at } as const),
      text: `The clock of the system jumped by ${seconds} s`,
      evidence: [{ name: 'clock shift', value: seconds, baseline: 0, unit: 'seconds' }],
      ...{ traces: [], link: '#/overview' },
    },
  ]
}
