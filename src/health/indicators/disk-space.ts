import { resolve } from 'node:path'
import { describeValue } from '../../base/describe-value.ts'
import { describeError } from '../../base/error-text.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { lazy } from '../../base/lazy.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { createSharedRequest } from './shared-request.ts'

const files = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs/promises'))

/** Options of `diskSpace`. */
export interface DiskSpaceOptions {
  /** A file or folder on the file system. @default '.' */
  readonly path?: string | undefined
  /** The minimum of free bytes for users other than root. @default 10485760 */
  readonly threshold?: number | undefined
}

/**
 * `UP` while the file system that holds `path` has at least `threshold` bytes free. Details: `total`, `free` and
 * `threshold` in bytes, `path` (absolute), `exists`. A path that does not exist is `DOWN`.
 *
 * @throws RangeError if the threshold is negative or not a number.
 */
export function diskSpace(options: DiskSpaceOptions = {}): HealthCheck {
  checkIndicatorOptions('diskSpace', options, ['path', 'threshold'], {
    directory: 'path',
    folder: 'path',
    minimum: 'threshold',
  })
  const { path = '.', threshold = 10_485_760 } = options
  if (!(threshold >= 0)) {
    throw optionOutOfRange(`diskSpace: threshold: expected a number of bytes, received ${describeValue(threshold)}`)
  }
  const absolute = resolve(path)
  // Shared: a system call on an unreachable network drive never returns, and blocks one of four threads.
  const measure = createSharedRequest(() => files().statfs(absolute), {
    lostAfterMilliseconds: Number.POSITIVE_INFINITY,
  })
  return async (signal): Promise<Health> => {
    try {
      const { blocks, bavail, bsize } = await measure(signal)
      const free = bavail * bsize
      return {
        status: free >= threshold ? 'UP' : 'DOWN',
        details: { total: blocks * bsize, free, threshold, path: absolute, exists: true },
      }
    } catch (error) {
      signal.throwIfAborted()
      return {
        status: 'DOWN',
        details: isMissing(error)
          ? { total: 0, free: 0, threshold, path: absolute, exists: false }
          : { threshold, path: absolute, error: describeError(error) },
      }
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
