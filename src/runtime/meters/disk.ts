import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RuntimeMeasuring } from './measuring.ts'
import { createSampler } from './sampler.ts'

/** `disk.free`, what the process may use of it, and `disk.total`, in bytes, of the disk that a folder is on. */
export function bindDiskMeters({ meters, clock, path }: RuntimeMeasuring): () => void {
  const folder = resolve(path)
  const disk = createSampler(clock, () => statfsSync(folder))
  const tags = { path: folder }
  meters.gauge('disk.free', tags, () => disk().bavail * disk().bsize, {
    description: 'Usable space on the disk',
    baseUnit: 'bytes',
  })
  meters.gauge('disk.total', tags, () => disk().blocks * disk().bsize, {
    description: 'Total space on the disk',
    baseUnit: 'bytes',
  })
  return () => {}
}
