import { resolve } from 'node:path'
import { describeError } from '../../base/error-text.ts'
import { lazy } from '../../base/lazy.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import { createInquiry } from './inquiry.ts'

const files = lazy(() => process.getBuiltinModule('node:fs/promises'))

export interface DiskSpaceOptions {
  /** A file or folder on the file system in question. @default '.' */
  readonly path?: string | undefined
  /** How many bytes must be free for whoever is not root. @default 10485760 */
  readonly threshold?: number | undefined
}

/**
 * `UP` while the file system that holds `path` has at least `threshold` bytes free. Details: `total`, `free` and
 * `threshold` in bytes, `path` (absolute), `exists`. A path that does not exist is `DOWN`.
 *
 * @throws RangeError when the threshold is negative or no number.
 */
export function diskSpace({ path = '.', threshold = 10_485_760 }: DiskSpaceOptions = {}): HealthCheck {
  if (!(threshold >= 0)) {
    throw new RangeError(`threshold must be a number of bytes, not ${threshold}`)
  }
  const absolute = resolve(path)
  // One at a time: a system call on a dead network drive never comes back and holds one of four threads.
  const measure = createInquiry(() => files().statfs(absolute), { lostAfterMilliseconds: Number.POSITIVE_INFINITY })
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
        details: isAbsent(error)
          ? { total: 0, free: 0, threshold, path: absolute, exists: false }
          : { threshold, path: absolute, error: describeError(error) },
      }
    }
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
