import type { MaybePromise } from '../base/maybe-promise.ts'
import { inTurns } from '../base/timers.ts'
import type { Console, ConsoleParts } from '../console/console.ts'
import { filterLogs, filterRequests, parseTags } from '../console/queries.ts'
import { listMeters, readMeter } from '../console/screens/meters.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { DocumentRequest, ReadOwnDocument } from './cluster/member-documents.ts'

type Read = (request: DocumentRequest, source: SnapshotSource | undefined) => MaybePromise<object | undefined>

/** Creates what reads the documents of a console, by their paths below it. */
export function createOwnDocuments(
  shown: Console,
  { clock, source: ownSource }: Pick<ConsoleParts, 'clock' | 'source'>,
): { readonly paths: readonly string[]; readonly read: ReadOwnDocument } {
  const withTime = (value: object | undefined) => value && { now: clock.wallTime(), ...value }
  const documents: Readonly<Record<string, Read>> = {
    overview: () => shown.overview(),
    history: ({ query }) => {
      const { seconds, minutes } = shown.sampler
      return (query.get('resolution') === 'minute' ? minutes : seconds).read(clock.wallTime())
    },
    requests: ({ query }) => shown.requests(filterRequests(query)),
    'requests/{id}': ({ variable }) => shown.request(variable),
    health: ({ query }) => shown.health(query.get('check') === 'now'),
    meters: (_request, source = ownSource()) => inTurns(listMeters(source)).then(withTime),
    'meters/{name}': ({ variable, query }, source = ownSource()) =>
      inTurns(readMeter(source, variable, parseTags(query))).then(withTime),
    logs: ({ query }) => withTime(shown.logs.read(filterLogs(query))),
    dependencies: () => withTime(shown.dependencies.read()),
  }
  return {
    paths: Object.keys(documents),
    read: (request, source) =>
      Object.hasOwn(documents, request.path) ? documents[request.path]?.(request, source) : undefined,
  }
}
