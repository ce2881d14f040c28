import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'

const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/** The period of `gc.overhead`, and the slots in which its pauses are added up: as in Micrometer. */
const slots = 15
const slotMilliseconds = 20_000

/** The spaces of objects that survived two minor collections. */
const longLived: ReadonlySet<string> = new Set(['old_space', 'large_object_space'])

/** What the meters of the pressure on the heap learn of garbage collections. */
interface HeapPressure {
  /** Adds a pause, in milliseconds. */
  readonly addPause: (milliseconds: number) => void
  /** Called after a collection of the whole heap. */
  readonly readLongLived: () => void
}

/**
 * The pressure on the heap: `gc.overhead`, `memory.usage.after.gc` and `gc.live.data.size`, which is 0 before the first
 * major collection, and `gc.max.data.size`.
 */
export function bindHeapPressureMeters({ meters, prefix, clock }: RuntimeMeasuring): HeapPressure {
  const { addPause, share } = createOverhead(clock)
  let live = 0
  const limit = () => v8().getHeapStatistics().heap_size_limit
  meters.gauge(`${prefix}gc.overhead`, {}, share, {
    description:
      'The share of its time that garbage collection has stopped the main thread for five minutes, from 0 to 1',
  })
  meters.gauge(`${prefix}memory.usage.after.gc`, { area: 'heap', pool: 'long-lived' }, () => live / limit(), {
    description: 'The share of the heap used by long-lived objects after the last major collection, from 0 to 1',
  })
  meters.gauge(`${prefix}gc.live.data.size`, {}, () => live, {
    description: 'Size of the long-lived objects after the last major collection',
    baseUnit: 'bytes',
  })
  meters.gauge(`${prefix}gc.max.data.size`, {}, limit, {
    description: 'Maximum size of the long-lived objects',
    baseUnit: 'bytes',
  })
  return {
    addPause,
    readLongLived() {
      live = 0
      for (const { space_name, space_used_size } of v8().getHeapSpaceStatistics()) {
        if (longLived.has(space_name)) live += space_used_size
      }
    },
  }
}

/** Returns the share of pauses in the last five minutes, or since the creation. */
export function createOverhead(clock: Clock): {
  readonly addPause: (milliseconds: number) => void
  readonly share: () => number
} {
  const begin = clock.monotonicTime()
  const sums = new Float64Array(slots)
  let current = 0
  /** Clears the slots of the times that have passed since the last call. */
  const advance = () => {
    const now = Math.floor((clock.monotonicTime() - begin) / slotMilliseconds)
    const passed = Math.min(now - current, slots)
    for (let slot = now - passed + 1; slot <= now; slot += 1) sums[slot % slots] = 0
    current = now
  }
  return {
    addPause(milliseconds) {
      advance()
      sums[current % slots] = (sums[current % slots] ?? 0) + milliseconds
    },
    share() {
      advance()
      const elapsed = clock.monotonicTime() - begin
      // The current slot is not complete yet.
      const covered = (slots - 1) * slotMilliseconds + (elapsed % slotMilliseconds)
      const sum = sums.reduce((total, each) => total + each, 0)
      return elapsed === 0 ? 0 : Math.min(1, sum / Math.min(elapsed, covered))
    },
  }
}
