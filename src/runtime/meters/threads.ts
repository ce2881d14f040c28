import { existsSync, readFileSync } from 'node:fs'
import type { RuntimeMeasuring } from './bind-meters.ts'

const status = '/proc/self/status'

/**
 * `threads.live`: the threads of the process, V8's and libuv's included, if the operating system reports them (Linux).
 */
export function bindThreadMeters({ meters, prefix }: RuntimeMeasuring): () => void {
  if (!existsSync(status)) return () => {}
  meters.gauge(`${prefix}threads.live`, {}, () => parseThreads(readFileSync(status, 'utf8')), {
    description: 'The number of threads of the process',
    baseUnit: 'threads',
  })
  return () => {}
}

/** Parses the number of threads in `/proc/<pid>/status`. */
export function parseThreads(text: string): number {
  return Number(/^Threads:\s+(\d+)/m.exec(text)?.[1])
}
