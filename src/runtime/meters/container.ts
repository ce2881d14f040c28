import { containerLimit, readContainerMemory } from '../../base/container-memory.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { createSampler } from './sampler.ts'

/**
 * The memory of the container as Linux counts it: `container.memory.used` and `container.memory.limit` in bytes,
 * `container.memory.events` by event, `container.memory.pressure` in seconds. Absent without a control group.
 */
export function bindContainerMeters({ meters, clock }: RuntimeMeasuring): () => void {
  const memory = createSampler(clock, readContainerMemory)
  const first = memory()
  if (first === undefined) return () => {}
  meters.gauge('container.memory.used', {}, () => memory()?.used ?? Number.NaN, {
    description: 'The memory of the container, without file cache that can be discarded',
    baseUnit: 'bytes',
  })
  const limit = containerLimit()
  if (limit !== undefined) {
    meters.gauge('container.memory.limit', {}, () => containerLimit() ?? Number.NaN, {
      description: 'The memory limit of the container',
      baseUnit: 'bytes',
    })
  }
  for (const event of Object.keys(first.events)) {
    meters.functionCounter('container.memory.events', { event }, () => memory()?.events[event] ?? Number.NaN, {
      description: 'How often the container reached a limit, or a process was killed because of it',
    })
  }
  if (first.pressure === undefined) return () => {}
  for (const kind of ['some', 'full'] as const) {
    const seconds = () => (memory()?.pressure?.[kind] ?? Number.NaN) / 1e6
    meters.functionCounter('container.memory.pressure', { kind }, seconds, {
      description: 'For how long some or all tasks of the container have waited for memory',
      baseUnit: 'seconds',
    })
  }
  return () => {}
}
