import { onlyFirst } from '../../base/callback.ts'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { bindHeapPressureMeters } from './heap-pressure.ts'

const majorCollection = 'end of major GC'

/** The meanings of V8's numbers, as defined by `perf_hooks`. */
const meanings = /* @__PURE__ */ lazy(() => {
  const { constants } = process.getBuiltinModule('node:perf_hooks')
  // Node 20 has no constant for the second one.
  const minorMarkSweep = 2
  const kinds: ReadonlyMap<unknown, readonly [action: string, gc: string]> = new Map([
    [constants.NODE_PERFORMANCE_GC_MINOR, ['end of minor GC', 'Scavenger']],
    [minorMarkSweep, ['end of minor GC', 'Minor Mark-Sweep']],
    [constants.NODE_PERFORMANCE_GC_MAJOR, [majorCollection, 'Mark-Compact']],
    [constants.NODE_PERFORMANCE_GC_INCREMENTAL, ['incremental marking', 'Mark-Compact']],
    [constants.NODE_PERFORMANCE_GC_WEAKCB, ['weak callbacks', 'Mark-Compact']],
  ])
  const causes: readonly (readonly [flag: number, cause: string])[] = [
    [constants.NODE_PERFORMANCE_GC_FLAGS_FORCED, 'forced'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE, 'all available garbage'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY, 'external memory'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE, 'idle'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING, 'phantom processing'],
    [constants.NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED, 'construct retained'],
  ]
  return { kinds, causes }
})

/** One garbage collection, as reported by `perf_hooks`. */
interface Collection {
  /** Milliseconds. */
  readonly duration: number
  readonly detail?: unknown
}

/** What a collection was, in Java's words where there are some. */
interface CollectionTags {
  readonly action: string
  readonly cause: string
  /** The collector of V8. */
  readonly gc: string
}

/**
 * `gc.pause`: the duration of each collection, by action, cause and collector; and the pressure on the heap, which
 * follows from the collections.
 */
export function bindGarbageCollectionMeters(measuring: RuntimeMeasuring): () => void {
  const { meters, prefix, report } = measuring
  const pauses = meters.timers(`${prefix}gc.pause`, ['action', 'cause', 'gc'], {
    description: 'Time spent in garbage collection pauses',
  })
  const pressure = bindHeapPressureMeters(measuring)
  const failed = onlyFirst((error) => report(`failed to record ${prefix}gc.pause`, error))
  const observer = new PerformanceObserver((list) => {
    for (const collection of list.getEntries()) {
      const { action, cause, gc } = classifyCollection(collection)
      try {
        pressure.addPause(collection.duration)
        if (action === majorCollection) pressure.readLongLived()
        pauses.with(action, cause, gc).record(collection.duration / 1_000)
      } catch (error) {
        failed(error)
      }
    }
  })
  observer.observe({ type: 'gc' })
  return () => observer.disconnect()
}

export function classifyCollection({ detail }: Collection): CollectionTags {
  const { kind, flags } = (typeof detail === 'object' && detail !== null ? detail : {}) as Readonly<
    Record<string, unknown>
  >
  const { kinds, causes } = meanings()
  const [action, gc] = kinds.get(kind) ?? ['unknown', 'unknown']
  const cause = causes.find(([flag]) => typeof flags === 'number' && (flags & flag) !== 0)?.[1]
  return { action, cause: cause ?? 'allocation', gc }
}
