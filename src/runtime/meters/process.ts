import type { RuntimeMeasuring } from './bind-meters.ts'

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

/** `nodejs.active.handles`: the sockets, timers, files and other resources that keep the event loop alive. */
export function bindHandleMeters({ meters }: RuntimeMeasuring): () => void {
  meters.gauge('nodejs.active.handles', {}, () => process.getActiveResourcesInfo().length, {
    description: 'The number of resources that keep the event loop alive',
  })
  return () => {}
}
