import { existsSync, readFileSync } from 'node:fs'
import type { RuntimeMeasuring } from './bind-meters.ts'

const status = '/proc/self/status'

/** `process.uptime` and `process.start.time` (since 1970-01-01T00:00:00Z), in seconds. */
export function bindUptimeMeters({ meters, clock }: RuntimeMeasuring): () => void {
  const started = clock.wallTime() / 1_000 - process.uptime()
  meters.gauge('process.uptime', {}, () => process.uptime(), {
    description: 'How long the process has run',
    baseUnit: 'seconds',
  })
  meters.gauge('process.start.time', {}, () => started, {
    description: 'When the process was started',
    baseUnit: 'seconds',
  })
  return () => {}
}

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

/** `nodejs.active.handles`: the sockets, timers, files and other resources that keep the event loop alive. */
export function bindHandleMeters({ meters }: RuntimeMeasuring): () => void {
  meters.gauge('nodejs.active.handles', {}, () => process.getActiveResourcesInfo().length, {
    description: 'The number of resources that keep the event loop alive',
  })
  return () => {}
}
