import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'

const v8 = lazy(() => process.getBuiltinModule('node:v8'))

export interface MemoryOptions {
  /** Which share of its limit the heap may use, from 0 to 1. @default 0.9 */
  readonly maxUsage?: number | undefined
  /** Bytes that the heap uses and may use. @default those of this thread */
  readonly heap?: (() => { readonly used: number; readonly limit: number }) | undefined
}

/**
 * `UP` while the heap uses no more than its share of the limit, beyond which V8 ends the process. Details: `used` and
 * `limit` in bytes, `usage` and `maxUsage` as shares from 0 to 1.
 *
 * @throws RangeError when `maxUsage` is no share.
 */
export function memory({ maxUsage = 0.9, heap = measureHeap }: MemoryOptions = {}): HealthCheck {
  if (!(maxUsage >= 0 && maxUsage <= 1)) {
    throw new RangeError(`maxUsage must be a share from 0 to 1, not ${maxUsage}`)
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
