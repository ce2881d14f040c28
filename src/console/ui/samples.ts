import type { HistoryDocument, VitalName, Vitals } from '../documents.ts'

/** Samples as columns, as charts read them. */
export interface Samples {
  /** Milliseconds since the epoch, ascending. */
  readonly times: readonly number[]
  readonly values: Readonly<Record<string, readonly (number | null)[]>>
}

/** The most samples that the page keeps: a quarter of an hour at one per second. */
const maxSamples = 900

export const noSamples: Samples = { times: [], values: {} }

/**
 * Returns samples with those of a history of the service. Earlier ones of this page are kept; where some are missing
 * between both, a gap is marked.
 */
export function mergeHistory(samples: Samples, history: HistoryDocument): Samples {
  const { times, values } = ascending(history)
  const first = times[0]
  if (first === undefined) return samples
  return append(before(samples, first), times, values, history.step * 1_000)
}

/**
 * Returns samples with one more; one that is there already is ignored. If the clock of the service was set back, the
 * samples from that time on are dropped, and a gap is marked.
 */
export function addSample(samples: Samples, { at, ...values }: Vitals): Samples {
  const last = samples.times.at(-1)
  if (at === last) return samples
  const columns = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]))
  if (last === undefined || at > last) return append(samples, [at], columns, 1_000)
  return append(before(samples, at), [at], columns, 1_000, true)
}

/** Returns the samples before a time. */
function before({ times, values }: Samples, end: number): Samples {
  const kept = times.filter((time) => time < end).length
  const columns = Object.entries(values).map(([name, column]) => [name, column.slice(0, kept)] as const)
  return { times: times.slice(0, kept), values: Object.fromEntries(columns) }
}

/** Returns samples with later ones, and a sample without values between both if some are missing. */
function append(
  samples: Samples,
  times: readonly number[],
  values: Samples['values'],
  step: number,
  isGap = false,
): Samples {
  const last = samples.times.at(-1)
  const first = times[0] ?? Number.POSITIVE_INFINITY
  const gap = last !== undefined && (isGap || first - last > 3.5 * step) ? [gapBetween(last, first, step)] : []
  const columns = Object.entries(values).map(([name, column]) => {
    const earlier = samples.values[name] ?? samples.times.map(() => null)
    return [name, [...earlier, ...gap.map(() => null), ...column]] as const
  })
  return limit({ times: [...samples.times, ...gap, ...times], values: Object.fromEntries(columns) })
}

/** Returns the samples of a history in ascending order: of those around a clock that was set back, the latest ones. */
function ascending({ times, values, step }: HistoryDocument): Samples {
  /** Places in the history; -1 is a gap. */
  const places: number[] = []
  let end = Number.POSITIVE_INFINITY
  for (let at = times.length - 1; at >= 0; at--) {
    const time = times[at] as number
    if (time >= end) continue
    const later = places.at(-1)
    if (later !== undefined && later !== at + 1) places.push(-1)
    places.push(at)
    end = time
  }
  if (places.length === times.length) return { times, values }
  places.reverse()
  const timeAt = (index: number) => times[places[index] as number] as number
  const columns = Object.entries(values).map(([name, column]) => {
    return [name, places.map((place) => column[place] ?? null)] as const
  })
  return {
    times: places.map((place, index) =>
      place === -1 ? gapBetween(timeAt(index - 1), timeAt(index + 1), step * 1_000) : timeAt(index),
    ),
    values: Object.fromEntries(columns),
  }
}

/** Returns the time of a sample without values: a step after the one before it, if there is space. */
function gapBetween(before: number, after: number, step: number): number {
  return Math.min(before + step, (before + after) / 2)
}

/** Returns the values of one name, as many as there are times. */
export function columnOf(samples: Samples, name: VitalName): readonly (number | null)[] {
  return samples.values[name] ?? samples.times.map(() => null)
}

function limit({ times, values }: Samples): Samples {
  if (times.length <= maxSamples) return { times, values }
  const columns = Object.entries(values).map(([name, column]) => [name, column.slice(-maxSamples)] as const)
  return { times: times.slice(-maxSamples), values: Object.fromEntries(columns) }
}
