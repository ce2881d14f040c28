import type { RuntimeMeasuring } from './bind-meters.ts'

/** `nodejs.active.handles`: the sockets, timers, files and other resources that keep the event loop alive. */
export function bindHandleMeters({ meters }: RuntimeMeasuring): () => void {
  meters.gauge('nodejs.active.handles', {}, () => process.getActiveResourcesInfo().length, {
    description: 'The number of resources that keep the event loop alive',
  })
  return () => {}
}
