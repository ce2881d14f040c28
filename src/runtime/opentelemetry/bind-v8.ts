import { onlyFirst } from '../../base/callback.ts'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from '../meters/bind-meters.ts'
import { createSampler } from '../meters/sampler.ts'
import { runtimeOptions } from './runtime-definitions.ts'

const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/** The advised bounds of `v8js.gc.duration`, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const collectionTypes = /* @__PURE__ */ lazy((): ReadonlyMap<unknown, string> => {
  const { constants } = process.getBuiltinModule('node:perf_hooks')
  return new Map([
    [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
    [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
    [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
    [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
  ])
})

/** The well-known values of `v8js.resource.type`; all other resources are counted together. */
const resourceTypes = ['Immediate', 'TCPServerWrap', 'TCPWrap', 'Timeout', 'TTYWrap']
const otherResources = '_OTHER'

/** `v8js.gc.duration`: the duration of each collection. */
export function bindCollections({ meters, report }: RuntimeMeasuring): () => void {
  const { description } = runtimeOptions('v8js.gc.duration')
  const durations = meters.timers('v8js.gc.duration', ['v8js.gc.type'], { description, slo: bounds })
  const failed = onlyFirst((error) => report('failed to record v8js.gc.duration', error))
  const observer = new PerformanceObserver((list) => {
    for (const collection of list.getEntries()) {
      try {
        durations.with(collectionTypeOf(collection)).record(collection.duration / 1_000)
      } catch (error) {
        failed(error)
      }
    }
  })
  observer.observe({ type: 'gc' })
  return () => observer.disconnect()
}

function collectionTypeOf({ detail }: { readonly duration: number; readonly detail?: unknown }): string {
  const kind = typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined
  return collectionTypes().get(kind) ?? '_OTHER'
}

/** `v8js.memory.heap.*` of each heap space, and `v8js.resource.active`. */
export function bindHeap({ meters, clock }: RuntimeMeasuring): () => void {
  const spaces = createSampler(
    clock,
    () =>
      new Map(
        v8()
          .getHeapSpaceStatistics()
          .map((space) => [space.space_name, space]),
      ),
  )
  const sizes = [
    ['v8js.memory.heap.used', 'space_used_size'],
    ['v8js.memory.heap.space.size', 'space_size'],
    ['v8js.memory.heap.space.available_size', 'space_available_size'],
    ['v8js.memory.heap.space.physical_size', 'physical_space_size'],
  ] as const
  for (const space of spaces().keys()) {
    const tags = { 'v8js.heap.space.name': space }
    for (const [name, size] of sizes) {
      meters.gauge(name, tags, () => spaces().get(space)?.[size] ?? Number.NaN, runtimeOptions(name))
    }
  }
  const resources = createSampler(clock, countResources)
  for (const type of [...resourceTypes, otherResources]) {
    const tags = { 'v8js.resource.type': type }
    const count = () => resources().get(type) ?? 0
    meters.gauge('v8js.resource.active', tags, count, runtimeOptions('v8js.resource.active'))
  }
  return () => {}
}

function countResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const resource of process.getActiveResourcesInfo()) {
    const type = resourceTypes.includes(resource) ? resource : otherResources
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return counts
}
