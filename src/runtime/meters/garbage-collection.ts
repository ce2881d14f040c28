import { onlyFirst } from '../../base/callback.ts'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'

/** The meanings of V8's numbers, as defined by `perf_hooks`. */
const meanings = lazy(() => {
  const { constants } = process.getBuiltinModule('node:perf_hooks')
  const actions: ReadonlyMap<unknown, string> = new Map([
    [constants.NODE_PERFORMANCE_GC_MINOR, 'end of minor GC'],
    [constants.NODE_PERFORMANCE_GC_MAJOR, 'end of major GC'],
    [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental marking'],
    [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak callbacks'],
  ])
  const causes: readonly (readonly [flag: number, cause: string])[] = [
    [constants.NODE_PERFORMANCE_GC_FLAGS_FORCED, 'forced'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE, 'all available garbage'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY, 'external memory'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE, 'idle'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING, 'phantom processing'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED, 'construct retained'],
  ]
  return { actions, causes }
})

/** One garbage collection, as reported by `perf_hooks`. */
interface Collection {
  /** Milliseconds. */
  readonly duration: number
  readonly detail?: unknown
}

/** `gc.pause`: the duration of each collection, by action and cause. */
export function bindGarbageCollectionMeters({ meters, prefix, report }: RuntimeMeasuring): () => void {
  const pauses = meters.timers(`${prefix}gc.pause`, ['action', 'cause'], {
    description: 'Time spent in garbage collection pauses',
  })
  const failed = onlyFirst((error) => report(`failed to record ${prefix}gc.pause`, error))
  const observer = new PerformanceObserver((list) => {
    for (const collection of list.getEntries()) {
      const { action, cause } = classifyCollection(collection)
      try {
        pauses.with(action, cause).record(collection.duration / 1_000)
      } catch (error) {
        failed(error)
      }
    }
  })
  observer.observe({ type: 'gc' })
  return () => observer.disconnect()
}

export function classifyCollection({ detail }: Collection): { readonly action: string; readonly cause: string } {
  const { kind, flags } = (typeof detail === 'object' && detail !== null ? detail : {}) as Readonly<
    Record<string, unknown>
  >
  const { actions, causes } = meanings()
  const cause = causes.find(([flag]) => typeof flags === 'number' && (flags & flag) !== 0)?.[1]
  return { action: actions.get(kind) ?? 'unknown', cause: cause ?? 'allocation' }
}
