import { containerLimit } from '../../base/container-memory.ts'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { createSampler } from './sampler.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))
const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/** A pool without a limit of its own, as Java reports it. */
const unlimited = -1

/**
 * `memory.used`, `memory.committed` and `memory.max` by heap space and, outside the heap, by use; and the memory of the
 * process. Bytes. An area has one limit, which is reported for one of its pools and is −1 for the others, as in Java's
 * G1. Of the heap it is V8's, for `old_space`; outside the heap it is the memory of the container or machine, for
 * `external`. So the ratio of the sums of an area is right.
 */
export function bindMemoryMeters({ meters, clock, prefix, status }: RuntimeMeasuring): () => void {
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
    const limit = id === 'old_space' ? () => v8().getHeapStatistics().heap_size_limit : () => unlimited
    meters.gauge(`${prefix}memory.max`, tags, limit, max)
  }

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
  meters.gauge(`${prefix}memory.max`, external, memoryLimit, max)
  meters.gauge(`${prefix}memory.max`, arrayBuffers, () => unlimited, max)

  meters.gauge('process.memory.rss', {}, () => outside().rss, {
    description: 'The resident set of the process',
    baseUnit: 'bytes',
  })
  if (status !== undefined) {
    meters.gauge('process.memory.vss', {}, () => status().virtualMemory, {
      description: 'The address space of the process',
      baseUnit: 'bytes',
    })
    meters.gauge('process.memory.swap', {}, () => status().swappedMemory, {
      description: 'The memory of the process that was swapped out',
      baseUnit: 'bytes',
    })
  }
  return () => {}
}

/** Returns the limit of the container, if it has one, or else the memory of the machine, in bytes. */
function memoryLimit(): number {
  return containerLimit() ?? os().totalmem()
}
