/** A difference, and the topic of docs/guides/spring-boot.md that lists it. */
export type Listed = readonly [difference: RegExp, topic: string]

export interface Request {
  readonly line: string
  readonly accept?: string
  readonly range?: string
  readonly body?: string
  readonly listed?: readonly Listed[]
}

/** An error document in place of an empty body, or of Spring's document. */
const anError: readonly Listed[] = [[/^type | empty$|: /, 'body']]

const withQuery = (query: string) => `GET metrics/jvm.memory.used?${query}`

/** What is requested of both services. A request without `listed` has the same status, media type, keys and types. */
export const requests: readonly Request[] = [
  { line: 'GET ' },
  { line: 'GET health' },
  { line: 'GET health', accept: 'application/vnd.spring-boot.actuator.v2+json' },
  { line: 'GET health', accept: 'application/json' },
  { line: 'GET health', accept: '*/*', listed: [[/^type /, 'default media type']] },
  { line: 'GET health', accept: 'text/html', listed: [[/^type | text$|: /, 'body']] },
  { line: 'HEAD health' },
  { line: 'GET health/diskSpace' },
  { line: 'GET health/stock' },
  { line: 'GET health/storage' },
  { line: 'GET health/liveness' },
  { line: 'GET health/readiness' },
  { line: 'GET health/livenessState' },
  { line: 'GET health/', listed: [[/./, '`/health/`']] },
  { line: 'GET health/nope', listed: anError },
  { line: 'GET health/nope/x', listed: [[/^status 500 → 404$/, '`/health/nope/x`'], ...anError] },
  { line: 'GET health;a=b', listed: [[/./, '`/health;a=b`, `%00`, `%2F`']] },
  { line: 'POST health', listed: anError },
  {
    line: 'GET info',
    listed: [
      [/ (?:java|runtime|application)\b/, 'runtime'],
      [/ build\./, '`build`'],
      [/ process\.memory\./, '`process.memory.nonHeap`'],
    ],
  },
  { line: 'HEAD info' },
  { line: 'DELETE info', listed: anError },
  { line: 'GET info/build', listed: anError },
  { line: 'GET metrics' },
  { line: 'OPTIONS metrics', listed: [[/^status 200 → 204$/, 'OPTIONS, HEAD, `fields`, entity tags']] },
  { line: 'GET metrics/', listed: anError },
  { line: 'GET metrics/nope', listed: anError },
  { line: 'GET metrics/jvm.memory.used' },
  { line: 'GET metrics/jvm.memory.max?tag=area:nonheap' },
  { line: 'GET metrics/jvm.gc.pause' },
  { line: 'GET metrics/jvm.threads.live' },
  { line: 'GET metrics/process.uptime' },
  { line: 'GET metrics/system.cpu.count' },
  { line: withQuery('tag=area:heap&tag=area:heap') },
  { line: withQuery('tag=area:nope'), listed: anError },
  { line: withQuery('tag=area'), listed: anError },
  { line: withQuery('tag='), listed: [[/./, '`metrics/{name}?tag=`']] },
  { line: 'GET loggers' },
  { line: 'GET loggers/db' },
  { line: 'GET loggers/ROOT' },
  { line: 'GET loggers/root', listed: anError },
  { line: 'POST loggers', listed: anError },
  { line: 'POST loggers/ROOT', body: '{"configuredLevel":"INFO"}' },
  { line: 'POST loggers/ROOT', body: '{"configuredLevel":"LOUD"}', listed: anError },
  { line: 'POST loggers/ROOT', body: '{bad', listed: anError },
  {
    line: 'POST loggers/ROOT',
    body: '{"configuredLevel":"INFO","more":1}',
    listed: [[/./, 'body of `POST`']],
  },
  { line: 'POST loggers/nope', body: '{"configuredLevel":"INFO"}', listed: [[/./, '`POST` of an unknown name']] },
  { line: 'GET env' },
  { line: 'GET env/PATH' },
  { line: 'GET env?pattern=PATH' },
  { line: 'GET env?pattern=(', listed: anError },
  { line: 'GET env/no.such.property', listed: anError },
  { line: 'POST env', listed: anError },
  {
    line: 'GET httpexchanges',
    listed: [
      [/^\+ exchanges\[\]\.(?:template|traceId|requestBytes|responseBytes|aborted): /, 'further members'],
      [/^- exchanges\[\]\.request\.headers\.\*/, 'header fields'],
    ],
  },
  { line: 'GET httpexchanges/x', listed: anError },
  {
    line: 'GET mappings',
    listed: [
      [/\.(?:servlets|servletFilters)\[\]/, '`servlets`, `servletFilters`'],
      [/\.(?:consumes|produces|params|headers)\[\]/, '`consumes`, `produces`, `params`, `headers`'],
    ],
  },
  {
    line: 'GET threaddump',
    listed: [
      [/\.(?:daemon|priority): /, '`daemon`, `priority`'],
      [/^. threads\[\]\.stackTrace\[\]\.(?:module\w+|classLoaderName|columnNumber): /, '`stackTrace[]`'],
      [/^- threads\[\]\.lock/, '`lockInfo`, `lockName`, `lockedMonitors`, `lockedSynchronizers`'],
      [/ activeResources\b/, '`activeResources`'],
    ],
  },
  { line: 'GET threaddump', accept: 'text/plain' },
  { line: 'GET threaddump', accept: 'image/png', listed: anError },
  {
    line: 'GET scheduledtasks',
    listed: [[/^\+ \w+\[\]\.(?:running|late|lastExecution\.duration): /, 'further members']],
  },
  { line: 'GET scheduledtasks/x', listed: anError },
  { line: 'GET caches' },
  { line: 'GET caches/cities' },
  { line: 'GET caches/cities?cacheManager=cacheManager' },
  { line: 'GET caches/cities?cacheManager=nope', listed: anError },
  { line: 'GET caches/nope', listed: anError },
  { line: 'POST caches', listed: anError },
  { line: 'DELETE caches/cities' },
  { line: 'DELETE caches/nope', listed: anError },
  { line: 'DELETE caches' },
  {
    line: 'GET startup',
    listed: [
      [/^- springBootVersion: /, '`springBootVersion`'],
      [/\.startupStep\.parentId: /, 'steps'],
    ],
  },
  { line: 'DELETE startup', listed: anError },
  { line: 'GET sbom' },
  { line: 'GET sbom/application', accept: '*/*', listed: [[/^- (?!bomFormat|specVersion|version)/, 'files']] },
  { line: 'GET sbom/application', accept: 'application/json', listed: [[/./, '`Accept: application/json`']] },
  { line: 'GET sbom/nope', accept: '*/*', listed: anError },
  { line: 'GET logfile', accept: 'text/plain' },
  { line: 'GET logfile', accept: 'text/plain', range: 'bytes=0-9' },
  { line: 'GET logfile', accept: 'text/plain', range: 'bytes=-40' },
  { line: 'GET logfile', accept: 'text/plain', range: 'bytes=0-1,5-6', listed: [[/./, 'several ranges']] },
  {
    line: 'GET logfile',
    accept: 'text/plain',
    range: 'bytes=5-2',
    listed: [[/^status 416 → 200$/, '`bytes=5-2`, `bytes=x`, `lines=0-1`']],
  },
  { line: 'GET logfile', accept: 'text/plain', range: 'bytes=99999999-', listed: [[/^type | text$|: /, '416']] },
  { line: 'GET logfile', accept: 'application/json', listed: anError },
  { line: 'HEAD logfile', accept: 'text/plain' },
  { line: 'POST logfile', listed: anError },
  { line: 'HEAD heapdump', accept: '*/*' },
  { line: 'GET heapdump', accept: 'application/json', listed: anError },
  { line: 'POST heapdump', listed: anError },
  { line: 'GET shutdown', listed: anError },
  { line: 'GET prometheus', accept: 'text/plain' },
  {
    line: 'GET prometheus',
    accept: 'application/openmetrics-text',
    listed: [[/^type .*;escaping=underscores$/, '`Content-Type` of OpenMetrics']],
  },
  { line: 'GET prometheus', accept: 'application/json', listed: anError },
  { line: 'GET nope', listed: anError },
]
