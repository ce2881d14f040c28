import { type Baseline, baselineOf, failsMore, isSlower } from '../baseline.ts'
import type { CallTotals, CallWindow } from '../call-minutes.ts'
import { figure, formatSeconds, formatShare, formatTimes, plainText } from '../shown-figures.ts'
import type { WhyStatement } from '../why-document.ts'
import type { WhyInput } from '../why-input.ts'

const minimumCalls = 10
const minimumErrors = 3
const maxStatements = 3
const link = '#/dependencies'

/** Other systems that fail or take longer than in the minutes before. */
export function outgoingStatements({ outgoing }: WhyInput): readonly WhyStatement[] {
  const found = outgoing.flatMap((calls) => [...failuresOf(calls), ...delaysOf(calls)])
  return [...found].sort((one, other) => other.weight - one.weight).slice(0, maxStatements)
}

function failuresOf({ key, recent, minutes }: CallWindow): readonly WhyStatement[] {
  if (recent.calls < minimumCalls || recent.errors < minimumErrors) return []
  const share = recent.errors / recent.calls
  const baseline = baselineOf(minutes.map(({ errors, calls }) => errors / calls))
  if (!failsMore(share, recent.calls, baseline)) return []
  const name = plainText(key, 120)
  const usual = baseline === undefined ? '' : `, usually ${formatShare(baseline.median)}`
  return [
    {
      ...({ kind: 'outgoing', severity: share > 0.5 ? 'critical' : 'warning', weight: 75 + 4 * share } as const),
      text: `${formatShare(share)} of ${recent.calls} calls to ${name} fail${usual}`,
      evidence: [
        { name: `errors ${name}`, value: figure(share), baseline: baseline && figure(baseline.median), unit: 'share' },
        { name: `calls ${name}`, value: recent.calls },
      ],
      ...{ traces: [], link },
    },
  ]
}

function delaysOf({ key, recent, minutes }: CallWindow): readonly WhyStatement[] {
  const baseline = baselineOf(minutes.map(meanOf))
  const mean = meanOf(recent)
  if (recent.calls < minimumCalls || baseline === undefined || !isSlower(mean, baseline)) return []
  const name = plainText(key, 120)
  const times = formatTimes(mean, baseline.median)
  return [
    {
      ...({ kind: 'outgoing', severity: 'warning', weight: 71 + weightOf(mean, baseline) } as const),
      text: `Calls to ${name} take ${formatSeconds(mean)}, ${times} the usual ${formatSeconds(baseline.median)}`,
      evidence: [
        { name: `mean ${name}`, value: figure(mean), baseline: figure(baseline.median), unit: 'seconds' },
        { name: `calls ${name}`, value: recent.calls },
      ],
      ...{ traces: [], link },
    },
  ]
}

/** Pools all of whose connections are in use while requests wait, or for whose connections requests waited. */
export function poolStatements({ pools, poolWaits }: WhyInput): readonly WhyStatement[] {
  const exhausted = new Map(
    pools
      .filter(({ used, maximum, waiting }) => waiting > 0 && maximum !== undefined && used >= maximum)
      .map((pool) => [pool.name, pool]),
  )
  return [...new Set([...exhausted.keys(), ...poolWaits.map(({ key }) => key)])].flatMap((key) => {
    const waits = poolWaits.find((each) => each.key === key)
    const pool = exhausted.get(key)
    const mean = waits === undefined ? 0 : meanOf(waits.recent)
    const baseline = baselineOf(waits?.minutes.map(meanOf) ?? [])
    const isLong = isSlower(mean, baseline ?? { median: 0, deviation: 0 }) && (waits?.recent.calls ?? 0) >= minimumCalls
    if (pool === undefined && !isLong) return []
    const name = plainText(key, 120)
    const state = pool && `${pool.used} of ${pool.maximum} connections are in use, ${pool.waiting} requests wait`
    const waited = isLong ? `a connection is waited for ${formatSeconds(mean)} on average` : undefined
    return [
      {
        ...({ kind: 'pool', severity: 'warning', weight: 90 } as const),
        text: `The pool ${name} is exhausted: ${[state, waited].filter(Boolean).join(', ')}`,
        evidence: [
          ...(pool === undefined ? [] : [{ name: `waiting ${name}`, value: pool.waiting, baseline: 0 }]),
          ...(pool === undefined ? [] : [{ name: `used ${name}`, value: pool.used }]),
          ...(waits === undefined || mean === 0
            ? []
            : [{ name: `wait ${name}`, value: figure(mean), baseline: baseline?.median, unit: 'seconds' as const }]),
        ],
        ...{ traces: [], link },
      },
    ]
  })
}

/** Spans, data points and log records that did not reach a receiver. */
export function telemetryStatements({ lost }: WhyInput): readonly WhyStatement[] {
  return lost
    .filter(({ recent }) => recent.calls > 0)
    .map(({ key, recent }) => ({
      ...({ kind: 'telemetry', severity: 'warning', weight: 20 } as const),
      text: `${recent.calls} ${plainText(key, 20)} did not reach the receiver of telemetry in the last two minutes`,
      evidence: [{ name: `otlp lost ${plainText(key, 20)}`, value: recent.calls, baseline: 0 }],
      ...{ traces: [], link: '#/metrics' },
    }))
}

function meanOf({ calls, total }: CallTotals): number {
  return calls === 0 ? 0 : total / calls
}

/** From 0 to 4, by how many times it is longer. */
function weightOf(mean: number, { median }: Baseline): number {
  return Math.min(4, Math.log2(mean / Math.max(median, 0.001)) / 2)
}
