import type { StatsFs } from 'node:fs'
import { resolve } from 'node:path'
import { lazy } from '../../base/lazy.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { createWatch } from './watch.ts'

const files = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs/promises'))

/** `disk.free`, which the process may use, and `disk.total`, in bytes, of the disk that contains a folder. */
export function bindDiskMeters({ meters, path }: RuntimeMeasuring): () => void {
  const folder = resolve(path)
  // On an unreachable network drive the call never returns, so no reader may wait for it.
  const disk = createWatch(() => files().statfs(folder))
  const measure = (measured: (stats: StatsFs) => number) => () => {
    const stats = disk.latest()
    return stats === undefined ? Number.NaN : measured(stats)
  }
  const tags = { path: folder }
  const free = measure(({ bavail, bsize }) => bavail * bsize)
  const total = measure(({ blocks, bsize }) => blocks * bsize)
  meters.gauge('disk.free', tags, free, { description: 'Usable space on the disk', baseUnit: 'bytes' })
  meters.gauge('disk.total', tags, total, { description: 'Total space on the disk', baseUnit: 'bytes' })
  return disk.stop
}
