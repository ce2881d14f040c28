import { readdirSync, readFileSync, statSync } from 'node:fs'
import { canRead } from '../can-read.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'

const openFiles = '/proc/self/fd'
const limits = '/proc/self/limits'

/** `process.files.open` and `process.files.max`, if the operating system reports them (Linux). */
export function bindFileMeters({ meters }: RuntimeMeasuring): () => void {
  if (!canRead(openFiles)) return () => {}
  meters.gauge('process.files.open', {}, countOpenFiles, {
    description: 'The number of open file descriptors',
    baseUnit: 'files',
  })
  meters.gauge('process.files.max', {}, () => parseFileLimit(readFileSync(limits, 'utf8')), {
    description: 'The number of file descriptors that may be open',
    baseUnit: 'files',
  })
  return () => {}
}

/** Returns the number of open file descriptors. */
export function countOpenFiles(): number {
  // Since Linux 6.2 the size of the folder is their number. Before, it is 0, and listing the folder takes milliseconds
  // per thousand files.
  const { size } = statSync(openFiles)
  // The folder itself is open while it is read.
  return size > 0 ? size : readdirSync(openFiles).length - 1
}

/** Parses the soft limit of open files in `/proc/<pid>/limits`; infinite if it is `unlimited`. */
export function parseFileLimit(text: string): number {
  const soft = /^Max open files\s+(\S+)/m.exec(text)?.[1]
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}
