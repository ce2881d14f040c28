import { isAt, isStatus, pathOf, withBody, withField, withHeader, withRequest, withStatus } from './faults.ts'
import type { Fault, ForwardedResponse, RequestToForward } from './mutant-server.ts'

type When = (request: RequestToForward, response: ForwardedResponse) => boolean

const both =
  (...conditions: readonly When[]): When =>
  (request, response) =>
    conditions.every((holds) => holds(request, response))
const isMethod =
  (method: string): When =>
  (request) =>
    request.method === method

const canary = 'contract-canary-5b1e7f3a'

/** Shows what it has received in the query or in fields, for which no test has to send it. */
const leak = (path: string): Fault => withBody(path, (text) => text.replace('{', `{"leaked":"${canary}",`))

/** Replaces each occurrence in the text of a resource. */
const replaceAll = (path: string, from: string, to: string): Fault =>
  withBody(path, (text) => text.replaceAll(from, to))

/** Faulty servers, as in `mutants`, of the endpoints that show or change the process. */
export const diagnosticMutants: readonly (readonly [id: string, broken: string, fault: Fault])[] = [
  ...['env', 'heapdump', 'profile', 'pprof/profile', 'logfile'].map(
    (path) =>
      [
        'diagnostics.access.stranger',
        `${path} for everyone`,
        withRequest((request) =>
          pathOf(request).endsWith(`/${path}`)
            ? withHeader(request, 'authorization', 'Bearer contract-token')
            : request,
        ),
      ] as const,
  ),
  [
    'diagnostics.access.wrong-token',
    'any token',
    withRequest((request) =>
      request.headers.has('authorization') ? withHeader(request, 'authorization', 'Bearer contract-token') : request,
    ),
  ],
  [
    'diagnostics.access.cross-site',
    'requests of pages of other sites',
    withRequest((request) => withHeader(request, 'sec-fetch-site', undefined)),
  ],
  [
    'diagnostics.caching.not-shared',
    'an environment in shared caches',
    withField('cache-control', 'public, max-age=60', isAt('/env')),
  ],
  [
    'diagnostics.caching.no-store',
    'a thread dump that is stored',
    withField('cache-control', 'no-cache, private', isAt('/threaddump')),
  ],
  ['diagnostics.methods.405', 'PUT of env', withStatus(204, both(isAt('/env'), isMethod('PUT')))],
  [
    'diagnostics.methods.405',
    'a 405 without Allow',
    withField('allow', undefined, both(isAt('/heapdump'), isStatus(405))),
  ],
  ['diagnostics.methods.options', 'no OPTIONS', withStatus(405, both(isAt('/heapdump'), isMethod('OPTIONS')))],
  ['diagnostics.methods.options', 'shutdown by GET', withField('allow', 'GET, HEAD', isAt('/shutdown'))],
  ['diagnostics.shutdown.get-405', 'GET of shutdown', withStatus(200, both(isAt('/shutdown'), isMethod('GET')))],
  ['diagnostics.shutdown.get-405', 'a 405 that allows GET', withField('allow', 'GET, POST', isAt('/shutdown'))],
  [
    'diagnostics.profile.bad-query',
    'any duration',
    withRequest(({ target }) => ({ target: target.replace(/seconds=.*/, 'seconds=0.01') })),
  ],
  ['diagnostics.secrets.credentials', 'cookies among the exchanges', leak('/httpexchanges')],
  ['diagnostics.secrets.credentials', 'a log with credentials', withBody('/logfile', (text) => `${text}${canary}`)],
  ['diagnostics.secrets.query', 'queries among the exchanges', leak('/httpexchanges')],
  [
    'diagnostics.secrets.masked',
    'a password in the environment',
    withBody('/env', (text) => text.replace('"properties":{', '"properties":{"DB_PASSWORD":{"value":"hunter2"},')),
  ],
  [
    'diagnostics.secrets.masked',
    'a connection string with its password',
    withBody('/env', (text) => text.replace('"properties":{', '"properties":{"DB":{"value":"pg://app:hunter2@db/o"},')),
  ],
  ['diagnostics.env.form', 'sources without names', replaceAll('/env', '"name"', '"title"')],
  ['diagnostics.env.unknown-404', 'an empty property', withStatus(200, isAt('/env/no-such-name'))],
  ['diagnostics.httpexchanges.form', 'durations as numbers', withBody('/httpexchanges', numberDurations)],
  ['diagnostics.mappings.form', 'routes without predicates', replaceAll('/mappings', '"predicate"', '"route"')],
  ['diagnostics.threaddump.form', 'ids as texts', withBody('/threaddump', textIds)],
  ['diagnostics.threaddump.form', 'threads that are not a list', replaceAll('/threaddump', '"threads":[', '"list":[')],
  [
    'diagnostics.threaddump.text',
    'JSON only',
    withRequest((request) => withHeader(request, 'accept', 'application/json')),
  ],
  [
    'diagnostics.scheduledtasks.form',
    'tasks without expressions',
    replaceAll('/scheduledtasks', '"expression"', '"at"'),
  ],
  ['diagnostics.scheduledtasks.form', 'no fixed rates', replaceAll('/scheduledtasks', '"fixedRate":[', '"rates":[')],
  ['diagnostics.caches.form', 'caches without managers', replaceAll('/caches', '"cacheManagers"', '"managers"')],
  ['diagnostics.caches.unknown-404', 'any cache', withStatus(200, isAt('/caches/no-such-name'))],
  ['diagnostics.startup.form', 'durations in milliseconds', withBody('/startup', numberDurations)],
  ['diagnostics.sbom.form', 'an id without a document', withStatus(404, isAt('/sbom/application'))],
  ['diagnostics.sbom.unknown-404', 'any document', withStatus(200, isAt('/sbom/no-such-name'))],
  ['diagnostics.loggers.form', 'levels as numbers', withBody('/loggers', numberLevels)],
  ['diagnostics.loggers.unknown-404', 'any logger', withStatus(200, isAt('/loggers/no-such-name'))],
  [
    'diagnostics.loggers.stranger',
    'levels that everyone changes',
    withStatus(204, both(isAt('/loggers/ROOT'), isMethod('POST'))),
  ],
  ['diagnostics.loggers.bad-level', 'any level', withStatus(204, both(isAt('/loggers/ROOT'), isMethod('POST')))],
  ['diagnostics.loggers.bad-duration', 'any duration', withStatus(204, both(isAt('/loggers/ROOT'), isMethod('POST')))],
  ['diagnostics.tracing.form', 'tracing as a text', replaceAll('/tracing', '"enabled":false', '"enabled":"no"')],
  ['diagnostics.logfile.range', 'the whole file', withStatus(200, both(isAt('/logfile'), isStatus(206)))],
  ['diagnostics.logfile.range', 'more bytes than the range', withBody('/logfile', (text) => `${text}more`)],
  [
    'diagnostics.logfile.suffix',
    'the first bytes in place of the last',
    withRequest((request) =>
      request.headers.get('range') === 'bytes=-5' ? withHeader(request, 'range', 'bytes=0-4') : request,
    ),
  ],
  [
    'diagnostics.logfile.unsatisfiable',
    'the whole file for no range of it',
    withRequest((request) => withHeader(request, 'range', undefined)),
  ],
]

function numberDurations(text: string): string {
  return text.replaceAll(/"(duration|timeTaken)":"PT[^"]*"/g, '"$1":12')
}

function textIds(text: string): string {
  return text.replaceAll(/"threadId":(\d+)/g, '"threadId":"$1"')
}

function numberLevels(text: string): string {
  return text.replaceAll(/"effectiveLevel":"\w+"/g, '"effectiveLevel":30')
}
