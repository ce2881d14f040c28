import type { Profiler } from 'node:inspector'

/**
 * Returns the microseconds of each node by its id. The time of a sample lasts until the next one, and that of the last
 * until the end: the samples are not evenly spaced, and V8 may report them out of order.
 */
export function sampledTimes({
  samples = [],
  timeDeltas = [],
  startTime,
  endTime,
}: Profiler.Profile): Map<number, number> {
  let time = startTime
  const taken = samples.map((id, at) => {
    time += timeDeltas[at] ?? 0
    return { id, time }
  })
  taken.sort((one, other) => one.time - other.time)
  const times = new Map<number, number>()
  for (const [at, { id, time: from }] of taken.entries()) {
    const until = taken[at + 1]?.time ?? Math.max(from, endTime)
    times.set(id, (times.get(id) ?? 0) + until - from)
  }
  return times
}
