import { type MaybePromise, thenNow } from '../../base/maybe-promise.ts'
import type { AttachedCluster } from '../../cluster/cluster-host.ts'
import type { Console, ConsoleParts } from '../../console/console.ts'
import type { OverviewDocument } from '../../console/documents.ts'
import { streamOverviews, streamSamples } from '../../console/sample-stream.ts'
import { mountPathOf } from '../../http/conventions/target.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Representation } from '../../http/representation.ts'
import type { Call, ResourceHandler } from '../../http/resource.ts'
import type { DescribedParameter } from '../../rest/openapi/operation.ts'
import { createMemberDocuments, type MemberDocuments } from '../cluster/member-documents.ts'
import { memberOrAllParameter } from '../cluster/member-parameter.ts'
import { createOwnDocuments } from '../console-documents.ts'
import { consolePage } from '../console-page.ts'
import { consoleSchemas } from '../console-schemas.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, stringSchema } from './json-representation.ts'

interface ConsoleContext extends Pick<ConsoleParts, 'options' | 'source' | 'clock' | 'report'> {
  readonly shown: Console
  /** Returns the paths of the exposed resources by the mount path of the adapter. */
  readonly linksAt: (mountPath: string) => Readonly<Record<string, string>>
  readonly cluster: AttachedCluster
}

/** `console`: a page that shows the service, and the documents that it reads. */
export function consoleEndpoint({ shown, linksAt, cluster, ...parts }: ConsoleContext): Endpoint {
  const own = createOwnDocuments(shown, parts)
  const documents = createMemberDocuments(cluster, own.read, parts.report)
  const viewers = createViewers(shown, documents, parts.options.viewers ?? 20)
  const read = ({ variables: [variable = ''], query, request: { base } }: Call, path: string) =>
    thenNow(documents.read({ path, variable, query }), (found) => {
      if (found === undefined || path !== 'overview') return found
      return { ...found, viewers: viewers.count(), links: linksAt(mountPathOf(base)), members: documents.members() }
    })
  const handlers: readonly (readonly [path: string, get: ResourceHandler])[] = [
    ...own.paths.map((path) => {
      const get: ResourceHandler = (call) => thenNow(read(call, path), (found) => found && json(found, 'no-store'))
      return [path, get] as const
    }),
    ['stream', viewers.add],
  ]
  const page = consolePage()
  return {
    id: 'console',
    ...page,
    routes: [
      ...page.routes,
      ...handlers.map(([path, get]) => ({
        path: `console/${path}`,
        resource: { access: 'authorized' as const, get },
      })),
    ],
    describe,
  }
}

/** Returns the streams of the pages that are open, `maximum` at most. */
function createViewers(shown: Console, documents: MemberDocuments, maximum: number) {
  let current = 0
  async function* watch({ query, signal }: Call, isOwn: boolean): AsyncGenerator<string> {
    current += 1
    try {
      // Safe: what is read at this path.
      const read = async () => (await documents.read({ path: 'overview', variable: '', query })) as OverviewDocument
      if (!isOwn) return yield* streamOverviews(read, signal)
      for await (const text of streamSamples(shown, signal)) {
        yield text
        // Another member has joined: the page connects again, to all.
        if (!(await documents.isOwn(query))) return
      }
    } finally {
      current -= 1
    }
  }
  return {
    count: () => ({ current, maximum }),
    add(call: Call): MaybePromise<Representation> {
      if (current >= maximum) {
        throw new HttpError(429, `The console has ${maximum} viewers already.`, { headers: { 'Retry-After': '10' } })
      }
      return thenNow(documents.isOwn(call.query), (isOwn) => {
        const offer = { mediaType: 'text/event-stream', render: () => watch(call, isOwn) }
        return { offers: [offer], caching: 'no-store', isEndless: true }
      })
    },
  }
}

/** What each resource shows, and its query parameters. */
const summaries: Readonly<Record<string, readonly [summary: string, ...query: string[]]>> = {
  overview: ['What the service is, what is wrong with it now, and the latest sample.'],
  history: ['The samples of 15 minutes, or of 24 hours with resolution=minute.', 'resolution'],
  requests: ['The routes with their figures, and the last requests.', 'route', 'method', 'limit'],
  'requests/{id}': ['One request with its spans and its log records.'],
  health: ['The components of health, and their changes; with check=now after all checks have run.', 'check'],
  meters: ['The names of all meters.'],
  'meters/{name}': ['The series of one meter.', 'tag'],
  logs: ['The last log records.', 'level', 'logger', 'text', 'trace', 'after', 'limit'],
  dependencies: ['What the service calls, its pools, tasks and caches.'],
}

function describe(): EndpointDescription {
  const schemas = consoleSchemas()
  const documents = Object.entries(summaries).map(([path, [summary, ...names]]) => {
    const restricting = names.map((name) => ({
      ...{ name, description: `Restricts by ${name}.`, schema: { type: 'string' } },
    }))
    const query = [...restricting, memberOrAllParameter]
    const content = describeJson(schemas[path] ?? {})
    return [`console/${path}`, { GET: { summary, query, responses: [{ status: 200, description: summary, content }] } }]
  })
  const describeGet = (summary: string, mediaType: string, ...query: readonly DescribedParameter[]) => ({
    GET: {
      ...{ summary, query },
      responses: [{ status: 200, description: summary, content: [{ mediaType, schema: stringSchema }] }],
    },
  })
  return {
    console: describeGet('A page that shows the service.', 'text/html'),
    'console/assets/{name}': describeGet('A file of the page.', 'text/javascript'),
    'console/stream': describeGet(
      'The samples as server-sent events, one each second.',
      'text/event-stream',
      memberOrAllParameter,
    ),
    ...Object.fromEntries(documents),
  }
}
