import type { SnapshotSource } from 'upkeep/metrics'

const order = ['uri', 'method', 'status', 'outcome', 'exception']

/** Returns request counts by `uri method status outcome exception`. */
export function requestCounts(meters: SnapshotSource, name = 'http.server.requests'): ReadonlyMap<string, number> {
  return new Map(
    [...meters.snapshot(name)].flatMap((one) => {
      const tags = new Map(one.id.tags.map(({ key, value }) => [key, value]))
      return one.kind === 'timer' ? [[order.map((key) => tags.get(key)).join(' '), one.count] as const] : []
    }),
  )
}
