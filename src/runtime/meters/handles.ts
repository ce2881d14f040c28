import type { RuntimeMeasuring } from './measuring.ts'

/** `nodejs.active.handles`: sockets, timers, files and the like that keep the process busy. */
export function bindHandleMeters({ meters }: RuntimeMeasuring): () => void {
  meters.gauge('nodejs.active.handles', {}, () => process.getActiveResourcesInfo().length, {
    description: 'The number of resources that keep the event loop alive',
  })
  return () => {}
}
