import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'

const v8 = lazy(() => process.getBuiltinModule('node:v8'))

/** A value is reused for this long, because a scrape reads many meters of one source. */
const freshMilliseconds = 100

/**
 * `memory.used` and `memory.committed` by heap space and, outside the heap, by use; `memory.max`, which V8 has for the
 * whole heap only, so that the ratio of the sums of an area is right. Bytes.
 */
export function bindMemoryMeters({ meters, clock, prefix }: RuntimeMeasuring): () => void {
  const spaces = createSampler(
    clock,
    () =>
      new Map(
        v8()
          .getHeapSpaceStatistics()
          .map((space) => [space.space_name, space]),
      ),
  )
  const outside = createSampler(clock, () => process.memoryUsage())
  const used = { description: 'The amount of used memory', baseUnit: 'bytes' }
  const committed = { description: 'The amount of memory that is committed for use', baseUnit: 'bytes' }
  const max = { description: 'The maximum amount of memory that can be used', baseUnit: 'bytes' }

  for (const id of spaces().keys()) {
    const tags = { area: 'heap', id }
    meters.gauge(`${prefix}memory.used`, tags, () => spaces().get(id)?.space_used_size ?? Number.NaN, used)
    meters.gauge(
      `${prefix}memory.committed`,
      tags,
      () => spaces().get(id)?.physical_space_size ?? Number.NaN,
      committed,
    )
  }
  meters.gauge(`${prefix}memory.max`, { area: 'heap', id: 'heap' }, () => v8().getHeapStatistics().heap_size_limit, max)

  const external = { area: 'nonheap', id: 'external' }
  const arrayBuffers = { area: 'nonheap', id: 'array_buffers' }
  // V8 includes array buffers in `external`.
  const readExternal = () => outside().external - outside().arrayBuffers
  const readArrayBuffers = () => outside().arrayBuffers
  meters.gauge(`${prefix}memory.used`, external, readExternal, used)
  meters.gauge(`${prefix}memory.used`, arrayBuffers, readArrayBuffers, used)
  // Memory outside the heap is committed when it is allocated.
  meters.gauge(`${prefix}memory.committed`, external, readExternal, committed)
  meters.gauge(`${prefix}memory.committed`, arrayBuffers, readArrayBuffers, committed)
  meters.gauge('process.memory.rss', {}, () => outside().rss, {
    description: 'The resident set of the process',
    baseUnit: 'bytes',
  })
  return () => {}
}

/** Returns a function that reads a source once per scrape, however many meters use it. */
export function createSampler<T>(clock: Clock, read: () => T): () => T {
  let latest: { readonly value: T; readonly at: number } | undefined
  return () => {
    const now = clock.monotonicTime()
    if (latest === undefined || now - latest.at >= freshMilliseconds) latest = { value: read(), at: now }
    return latest.value
  }
}
