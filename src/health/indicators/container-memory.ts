import { availableMemory, containerLimit } from '../../base/container-memory.ts'
import { describeValue } from '../../base/describe-value.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))

/** Options of `containerMemory`. */
export interface ContainerMemoryOptions {
  /** The maximum share of the limit that is used, from 0 to 1. @default 0.9 */
  readonly maxUsage?: number | undefined
  /** Returns the bytes that are used, and the limit. @default those of the container, or else of the machine */
  readonly read?: (() => { readonly used: number; readonly limit: number }) | undefined
}

/**
 * `UP` while the container uses at most `maxUsage` of its memory limit, at which the system ends the process. File
 * cache is not counted. Details: `used` and `limit` in bytes, `usage` and `maxUsage` from 0 to 1.
 *
 * @throws RangeError if `maxUsage` is not from 0 to 1.
 */
export function containerMemory(options: ContainerMemoryOptions = {}): HealthCheck {
  checkIndicatorOptions('containerMemory', options, ['maxUsage', 'read'], {
    threshold: 'maxUsage',
    maximum: 'maxUsage',
  })
  const { maxUsage = 0.9, read = measure } = options
  if (!(maxUsage >= 0 && maxUsage <= 1)) {
    throw optionOutOfRange(
      `containerMemory: maxUsage: expected a number from 0 to 1, received ${describeValue(maxUsage)}`,
    )
  }
  return () => {
    const { used, limit } = read()
    const usage = Math.round((used / limit) * 1_000) / 1_000
    return { status: used <= limit * maxUsage ? 'UP' : 'DOWN', details: { used, limit, usage, maxUsage } }
  }
}

function measure(): { used: number; limit: number } {
  const limit = containerLimit() ?? os().totalmem()
  return { used: Math.max(0, limit - availableMemory()), limit }
}
