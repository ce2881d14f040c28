import { describeValue } from '../../base/describe-value.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'

const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/** Options of `memory`. */
export interface MemoryOptions {
  /** The maximum share of the limit that the heap uses, from 0 to 1. @default 0.9 */
  readonly maxUsage?: number | undefined
  /** Returns the bytes that the heap uses, and its limit. @default those of this thread */
  readonly heap?: (() => { readonly used: number; readonly limit: number }) | undefined
}

/**
 * `UP` while the heap uses at most `maxUsage` of its limit, at which V8 ends the process. Details: `used` and `limit`
 * in bytes, `usage` and `maxUsage` from 0 to 1.
 *
 * @throws RangeError if `maxUsage` is not from 0 to 1.
 */
export function memory(options: MemoryOptions = {}): HealthCheck {
  checkIndicatorOptions('memory', options, ['maxUsage', 'heap'], {
    threshold: 'maxUsage',
    heapUsedThreshold: 'maxUsage',
    maximum: 'maxUsage',
  })
  const { maxUsage = 0.9, heap = measureHeap } = options
  if (!(maxUsage >= 0 && maxUsage <= 1)) {
    throw optionOutOfRange(`memory: maxUsage: expected a number from 0 to 1, received ${describeValue(maxUsage)}`)
  }
  return () => {
    const { used, limit } = heap()
    const usage = Math.round((used / limit) * 1_000) / 1_000
    return { status: used <= limit * maxUsage ? 'UP' : 'DOWN', details: { used, limit, usage, maxUsage } }
  }
}

function measureHeap(): { used: number; limit: number } {
  const { used_heap_size: used, heap_size_limit: limit } = v8().getHeapStatistics()
  return { used, limit }
}
