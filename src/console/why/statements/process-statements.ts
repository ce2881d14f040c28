import { figure, formatBytes, formatSeconds, formatShare } from '../shown-figures.ts'
import { trendOf } from '../trend.ts'
import type { WhyStatement } from '../why-document.ts'
import { type WhyInput, windowMilliseconds } from '../why-input.ts'

const recentSamples = 60
const minimumSamples = 3

/** A single delay of the event loop that is reported, in seconds. */
const longBlock = 0.5

/** Delays that are reported if at least this many seconds of the last minute had one. */
const shortBlock = 0.15
const minimumBlocks = 4

const busyShare = 0.95
const busySamples = 10
const collectionShare = 0.2
const collectionSamples = 15

/** What blocks or occupies the event loop, and garbage collection. */
export function loopStatements(input: WhyInput): readonly WhyStatement[] {
  return [...blocksOf(input), ...busyLoopOf(input), ...collectionOf(input)]
}

function blocksOf({ now, seconds, blockSince }: WhyInput): readonly WhyStatement[] {
  const delays = seconds.valuesOf('loopDelay').map((delay) => delay ?? 0)
  const recent = delays.slice(-recentSamples)
  const blocks = recent.filter((delay) => delay >= shortBlock).length
  const isNow = Math.max(0, ...recent) >= longBlock || blocks >= minimumBlocks
  const longest = Math.max(0, ...(isNow ? recent : delays))
  if (!isNow && longest < longBlock) return []
  const times = isNow ? `in ${blocks} of the last ${recent.length} s` : 'in the last 15 minutes, not in the last one'
  const captured = blockSince(now - (isNow ? 60_000 : windowMilliseconds))
  // The samples measure a block a little longer or shorter than the recorder does.
  const block = captured !== undefined && captured.seconds > 0.8 * longest ? captured : undefined
  const cause = block?.place === undefined ? '' : ` by ${block.place}`
  return [
    {
      ...({ kind: 'event-loop', severity: isNow && longest >= 2 ? 'critical' : 'warning' } as const),
      weight: (isNow ? 86 : 25) + Math.round(Math.min(3, longest)),
      text: `The event loop was blocked for up to ${formatSeconds(longest)}${cause}, ${times}`,
      evidence: [
        { name: 'loopDelay', value: figure(longest), unit: 'seconds' },
        { name: 'seconds with a block', value: blocks },
        ...(block?.place === undefined ? [] : [{ name: 'function', value: block.place }]),
      ],
      ...{ traces: [], link: block === undefined ? '#/diagnostics' : `#/diagnostics?capture=${block.captureId}` },
    },
  ]
}

function busyLoopOf({ seconds }: WhyInput): readonly WhyStatement[] {
  const shares = valuesOf(seconds.valuesOf('loopUtilization', busySamples))
  const mean = meanOf(shares)
  if (shares.length < minimumSamples || mean < busyShare) return []
  return [
    {
      ...({ kind: 'event-loop', severity: 'warning', weight: 80 } as const),
      text: `The event loop has been busy for ${formatShare(mean)} of the last ${shares.length} s`,
      evidence: [{ name: 'loopUtilization', value: figure(mean), unit: 'share' }],
      ...{ traces: [], link: '#/diagnostics' },
    },
  ]
}

function collectionOf({ seconds }: WhyInput): readonly WhyStatement[] {
  const shares = valuesOf(seconds.valuesOf('gc', collectionSamples))
  const mean = meanOf(shares)
  if (shares.length < minimumSamples || mean < collectionShare) return []
  return [
    {
      ...({ kind: 'gc', severity: 'warning', weight: 90 } as const),
      text: `Garbage collection took ${formatShare(mean)} of the last ${shares.length} s`,
      evidence: [{ name: 'gc', value: figure(mean), unit: 'share' }],
      ...{ traces: [], link: '#/overview' },
    },
  ]
}

const fullShare = 0.9
const almostFullShare = 0.97

/** A trend is reported if this much of the limit is used, and of this much it grew. */
const trendFromShare = 0.4
const trendGrowth = 0.1
const trendFit = 0.7
const trendMinutes = 5
const trendHorizonSeconds = 60 * 60

/** Memory near its limit, or on its way there. */
export function memoryStatements({ vitals, limits, histories }: WhyInput): readonly WhyStatement[] {
  const floors = histories.memory.read()
  const heap = floors.map(({ at, heapUsed }) => ({ x: at / 1_000, y: heapUsed }))
  const resident = floors.map(({ at, rss }) => ({ x: at / 1_000, y: rss }))
  return [
    ...memoryOf('heapUsed', 'The heap', { used: vitals.heapUsed ?? 0, limit: limits.heap, minutes: heap }),
    ...memoryOf('rss', 'The memory of the process', { used: vitals.rss ?? 0, limit: limits.memory, minutes: resident }),
  ]
}

interface Memory {
  readonly used: number
  readonly limit: number
  readonly minutes: readonly { readonly x: number; readonly y: number }[]
}

function memoryOf(name: string, what: string, { used, limit, minutes }: Memory): readonly WhyStatement[] {
  const share = used / limit
  const { slope, fit } = trendOf(minutes)
  const [first, last] = [minutes[0], minutes.at(-1)]
  const growth = first && last ? slope * (last.x - first.x) : 0
  const secondsLeft = slope > 0 ? (limit - used) / slope : Number.POSITIVE_INFINITY
  const isTrend =
    minutes.length >= trendMinutes && fit >= trendFit && growth >= trendGrowth * limit && share >= trendFromShare
  const grows = isTrend && secondsLeft <= trendHorizonSeconds
  if (share < fullShare && !grows) return []
  const trend = grows
    ? `, grows by ${formatBytes(60 * slope)} a minute, and reaches it in ${formatSeconds(Math.max(0, secondsLeft))}`
    : ''
  return [
    {
      ...({ kind: 'memory', severity: share > almostFullShare || secondsLeft < 300 ? 'critical' : 'warning' } as const),
      weight: 92 + Math.round(Math.min(3, 3 * share)),
      text: `${what} is at ${formatShare(share)} of its limit of ${formatBytes(limit)}${trend}`,
      evidence: [
        { name, value: used, baseline: first && Math.round(first.y), unit: 'bytes' },
        { name: `${name} limit`, value: limit, unit: 'bytes' },
        ...(grows ? [{ name: `${name} growth per second`, value: figure(slope), unit: 'bytes' as const }] : []),
      ],
      ...{ traces: [], link: '#/overview' },
    },
  ]
}

function valuesOf(values: readonly (number | null)[]): readonly number[] {
  return values.filter((value) => value !== null)
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
