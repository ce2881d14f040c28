import type { MeterDocument, SeriesFacts } from '../documents.ts'
import { formatBytes, formatNumber, formatRate, formatSeconds } from './format.ts'

/** What is charted of some series: from when the chart was opened, in columns. */
interface MeterSamples {
  readonly times: readonly number[]
  readonly values: ReadonlyMap<string, readonly (number | null)[]>
  /** The latest raw values, from which rates are computed. */
  readonly latest: ReadonlyMap<string, number>
}

/** A quarter of an hour at one sample in two seconds. */
const maxSamples = 450

export const noMeterSamples: MeterSamples = { times: [], values: new Map(), latest: new Map() }

/** Returns the tags of a series as one string, by which it is recognized. */
export function keyOfSeries({ tags }: Pick<SeriesFacts, 'tags'>): string {
  return JSON.stringify(Object.entries(tags).sort())
}

/** Returns whether a statistic only grows, so that its rate is charted. */
export function isGrowing(statistic: string, kind: string): boolean {
  return statistic === 'TOTAL_TIME' || statistic === 'TOTAL' || (statistic === 'COUNT' && kind !== 'gauge')
}

/** Returns samples with those of a document. A document that is not newer is ignored. */
export function addMeterSample(samples: MeterSamples, document: MeterDocument, statistic: string): MeterSamples {
  const { now, kind, series } = document
  const before = samples.times.at(-1)
  if (before !== undefined && now <= before) return samples
  const seconds = before === undefined ? 0 : (now - before) / 1_000
  const isRate = isGrowing(statistic, kind)
  const values = new Map<string, readonly (number | null)[]>()
  const latest = new Map<string, number>()
  for (const one of series) {
    const key = keyOfSeries(one)
    const raw = one.values[statistic]
    if (raw !== undefined) latest.set(key, raw)
    const column = samples.values.get(key) ?? samples.times.map(() => null)
    values.set(
      key,
      [...column, isRate ? rateOf(raw, samples.latest.get(key), seconds) : (raw ?? null)].slice(-maxSamples),
    )
  }
  return { times: [...samples.times, now].slice(-maxSamples), values, latest }
}

/** Returns a rate per second; `null` for the first sample, and after a restart. */
function rateOf(value: number | undefined, before: number | undefined, seconds: number): number | null {
  if (value === undefined || before === undefined || value < before || seconds <= 0) return null
  return (value - before) / seconds
}

/** Returns how the values of a statistic are shown. */
export function formatOf(statistic: string, kind: string, unit: string | undefined): typeof formatNumber {
  if (isGrowing(statistic, kind)) return statistic === 'TOTAL' && unit === 'bytes' ? formatBytes : formatRate
  if (statistic === 'ACTIVE_TASKS' || statistic === 'COUNT') return formatNumber
  if (unit === 'seconds') return formatSeconds
  return unit === 'bytes' ? formatBytes : formatNumber
}
