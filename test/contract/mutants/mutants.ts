import { diagnosticMutants } from './diagnostic-mutants.ts'
import {
  isAt,
  isHead,
  isStatus,
  pathOf,
  withBody,
  withField,
  withHeader,
  withRequest,
  withStatus,
  withTrailingBytes,
} from './faults.ts'
import type { Fault } from './mutant-server.ts'

/** Patterns that mutants replace. */
interface Parts {
  readonly _links?: object
  readonly components?: object
  readonly groups?: readonly string[]
  readonly names?: readonly string[]
  readonly availableTags?: unknown
}

const json = (change: (value: Parts) => unknown) => (text: string) => {
  try {
    return JSON.stringify(change(JSON.parse(text)))
  } catch {
    return text
  }
}
const replace = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)
const authorized = 'Bearer contract-token'

/** A counter per server. */
function falling(text: string): string {
  return text.replace(/^(contract_odd_total\{.*\}) .*$/m, (_, series) => `${series} ${1_000_000 - performance.now()}`)
}

/** Faulty servers: the case that must fail, the fault, and its implementation. */
export const mutants: readonly (readonly [id: string, broken: string, fault: Fault])[] = [
  // discovery
  ['discovery.page.json', 'the page of links as HTML', withField('content-type', 'text/html', isAt('/management'))],
  [
    'discovery.links.shape',
    'links that are bare texts',
    withBody(
      '/management',
      json(({ _links }) => ({ _links: { ..._links, info: '/management/info' } })),
    ),
  ],
  ['discovery.links.self', 'no link to itself', withBody('/management', replace('"self"', '"me"'))],
  [
    'discovery.links.templated',
    'templates that are not marked',
    withBody('/management', (text) => text.replaceAll('"templated":true', '"templated":false')),
  ],
  [
    'discovery.links.below-base',
    'links to another place',
    withBody('/management', (text) => text.replaceAll('/management/info', '/admin/info')),
  ],
  [
    'discovery.links.below-base',
    'a template for another place',
    withBody('/management', (text) => text.replaceAll('/management/metrics/{', '/meters/{')),
  ],
  ['discovery.links.answer', 'a link to what is gone', withStatus(404, isAt('/info'))],
  [
    'discovery.links.own-host',
    'links to the host of the server',
    withBody('/management', (text) => text.replaceAll('contract.example:8443', 'localhost')),
  ],
  [
    'discovery.links.own-host',
    'links to the host of a server that accepts loopback names only',
    {
      changeResponse: (response, { headers }) =>
        headers.get('host') === 'contract.example:8443'
          ? { ...response, status: 421 }
          : { ...response, body: Buffer.from(response.body.toString().replaceAll('localhost:8443', 'localhost')) },
    },
  ],
  [
    'discovery.paths.form',
    'a path with an extension',
    withBody('/management', replace('/management/info"', '/management/info.json"')),
  ],
  [
    'discovery.paths.no-version',
    'a version in the path',
    withBody('/management', replace('/management/info"', '/management/v2/info"')),
  ],
  ['discovery.unknown-404', '200 for whatever', withStatus(200, isAt('/no-such-endpoint'))],
  // health
  ['health.report.json', 'health as text', withField('content-type', 'text/plain', isAt('/health'))],
  [
    'health.report.status',
    'an envelope around the report',
    withBody(
      '/health',
      json((data) => ({ data })),
    ),
  ],
  [
    'health.report.status-code',
    '200 with an error inside',
    withBody('/health', replace(/"status":"UP"/, '"status":"DOWN"')),
  ],
  [
    'health.report.components',
    'components as a list',
    withBody(
      '/health',
      json(({ components, ...rest }) => ({ ...rest, components: Object.values(components ?? {}) })),
    ),
  ],
  [
    'health.report.sorted',
    'components in no order',
    withBody(
      '/health',
      json(({ components, ...rest }) => ({
        ...rest,
        components: Object.fromEntries(Object.entries(components ?? {}).reverse()),
      })),
    ),
  ],
  [
    'health.report.aggregate',
    'a whole that is better than its parts',
    withBody('/health', replace('"db":{"status":"UP"', '"db":{"status":"DOWN"')),
  ],
  [
    'health.report.details',
    'details as a text',
    withBody('/health', replace(/"details":\{[^}]*\}/, '"details":"fine"')),
  ],
  [
    'health.report.no-credentials',
    'a connection string with its password',
    withBody('/health', replace('PostgreSQL 17', 'postgres://app:hunter2@db/orders')),
  ],
  [
    'health.report.groups',
    'groups in no order',
    withBody(
      '/health',
      json(({ groups, ...rest }) => ({ ...rest, groups: [...(groups ?? [])].reverse() })),
    ),
  ],
  ['health.caching.no-store', 'health that may be kept', withField('cache-control', 'max-age=60', isAt('/health'))],
  ['health.caching.no-validators', 'health with an entity tag', withField('etag', '"1"', isAt('/health'))],
  [
    'health.caching.never-304',
    'health that has not changed',
    {
      changeResponse: (response, request) =>
        request.headers.has('if-none-match') && isAt('/health')(request)
          ? { ...response, status: 304, body: Buffer.alloc(0) }
          : response,
    },
  ],
  ['health.groups.answer', 'groups without an address', withStatus(404, isAt('/health/storage'))],
  ['health.groups.no-groups-inside', 'groups in a group', withBody('/health/storage', replace('{', '{"groups":[],'))],
  ['health.groups.unknown-member-404', 'members that nobody has', withStatus(200, isAt('/no-such-member'))],
  ['health.drill-down.component', 'components without an address', withStatus(404, isAt('/health/db'))],
  ['health.drill-down.nested', 'parts without an address', withStatus(404, isAt('/health/caches/far'))],
  [
    'health.drill-down.unknown-404',
    'a component that nobody has',
    {
      changeResponse: (response, request) =>
        isAt('/health/no-such-component')(request)
          ? { ...response, status: 200, body: Buffer.from('{"status":"UNKNOWN"}') }
          : response,
    },
  ],
  [
    'health.drill-down.deeper-404',
    'a report for whatever lies below',
    withRequest((request) => ({ target: request.target.replace('/no-such-part/at-all', '') })),
  ],
  [
    'health.drill-down.inherited-name-404',
    'components that every object has',
    withStatus(200, isAt('/health/toString')),
  ],
  [
    'health.drill-down.encoded-name',
    'names compared as they are written',
    withStatus(404, ({ target }) => target.includes('/health/%')),
  ],
  [
    'health.details.stranger',
    'details to strangers',
    withRequest((request) => withHeader(request, 'authorization', authorized)),
  ],
  [
    'health.details.authorized',
    'details to nobody',
    withRequest((request) => withHeader(request, 'authorization', undefined)),
  ],
  [
    'health.details.authorized',
    'details at the components only',
    withBody('/health', (text) => text.replaceAll(/"details":\{[^}]*\}/g, '"hidden":0')),
  ],
  [
    'health.details.not-mixed',
    'one view for all callers',
    withRequest((request) => withHeader(request, 'authorization', authorized)),
  ],
  [
    'health.details.wrong-token',
    'any token counts',
    withRequest((request) =>
      request.headers.get('authorization')?.startsWith('Bearer')
        ? withHeader(request, 'authorization', authorized)
        : {},
    ),
  ],
  [
    'health.details.wrong-scheme',
    'the token counts under any scheme',
    withRequest((request) =>
      request.headers.get('authorization')?.endsWith('contract-token')
        ? withHeader(request, 'authorization', authorized)
        : {},
    ),
  ],
  [
    'health.details.token-in-query',
    'the token counts in the query',
    withRequest((request) =>
      request.target.includes('token=contract-token') ? withHeader(request, 'authorization', authorized) : {},
    ),
  ],
  [
    'health.details.component-stranger',
    'details to strangers at the component',
    withRequest((request) => (isAt('/health/db')(request) ? withHeader(request, 'authorization', authorized) : {})),
  ],
  [
    'health.details.hidden-404',
    'hidden components that answer',
    withStatus(200, (request) => isAt('/health/db')(request) || pathOf(request).includes('/health/alive')),
  ],
  ['health.down.status-code', '200 while the database is down', withStatus(200, isStatus(503))],
  [
    'health.down.report',
    'an error document in place of the report',
    withField('content-type', 'application/problem+json', isStatus(503)),
  ],
  ['health.down.head', 'HEAD that is always well', withStatus(200, isHead)],
  [
    'health.down.others',
    'a component that is down costs the others',
    {
      changeResponse: (response) =>
        response.status === 503
          ? { ...response, body: Buffer.from('{"status":"DOWN","components":{"db":{"status":"DOWN"}}}') }
          : response,
    },
  ],
  // probes
  ['probes.liveness.200', 'no liveness', withStatus(404, isAt('/health/liveness'))],
  [
    'probes.readiness.anonymous',
    'a probe that wants credentials',
    withStatus(401, (request) => isAt('/health/readiness')(request) && !request.headers.has('authorization')),
  ],
  [
    'probes.liveness.not-kept',
    'a probe that may be kept',
    withField('cache-control', 'no-cache', isAt('/health/liveness')),
  ],
  [
    'probes.liveness.query',
    'a probe that knows its queries',
    withStatus(400, ({ target }) => target.includes('/liveness?')),
  ],
  ['probes.not-ready.readiness-503', 'readiness that is always 200', withStatus(200, isAt('/health/readiness'))],
  [
    'probes.not-ready.liveness-200',
    'liveness that is readiness',
    withRequest(({ target }) => ({ target: target.replace('liveness', 'readiness') })),
  ],
  [
    'probes.database-down.liveness-200',
    'liveness that asks the database',
    withRequest(({ target }) => ({ target: target.replace('/liveness', '') })),
  ],
  ['probes.not-alive.liveness-503', 'liveness that is always 200', withStatus(200, isAt('/health/liveness'))],
  // info
  ['info.object', 'info as a list', withBody('/info', (text) => `[${text}]`)],
  ['info.dates', 'moments as numbers', withBody('/info', replace('{', '{"startTime":1700000000,'))],
  ['info.no-secrets', 'the environment in info', withBody('/info', replace('{', '{"env":{"DB_PASSWORD":"hunter2"},'))],
  ['info.certificates', 'certificates without their end', withBody('/info', replace(/"validityEnds"/g, '"until"'))],
  // metrics
  ['metrics.names.texts', 'names under another name', withBody('/metrics', replace('"names"', '"metrics"'))],
  [
    'metrics.names.sorted',
    'names in no order',
    withBody(
      '/metrics',
      json(({ names }) => ({ names: [...(names ?? [])].reverse() })),
    ),
  ],
  ['metrics.collected.system', 'nothing of the process', withBody('/metrics', replace('"process.uptime",', ''))],
  ['metrics.unknown-404', 'metrics that nobody has', withStatus(200, isAt('/metrics/no.such.metric'))],
  [
    'metrics.case',
    'names in any letters',
    withRequest(({ target }) => ({ target: target.replace(/\/metrics\/[A-Z.]+/, (name) => name.toLowerCase()) })),
  ],
  [
    'metrics.detail.name',
    'details of another metric',
    withRequest(({ target }) => ({ target: target.replace(/\/metrics\/jvm\.[\w.]+/, '/metrics/process.uptime') })),
  ],
  [
    'metrics.detail.measurements',
    'measurements as an object',
    withBody('/metrics/process.uptime', replace(/"measurements":\[(.*?)\]/, '"measurements":$1')),
  ],
  [
    'metrics.detail.values',
    'values as texts',
    withBody('/metrics/process.uptime', replace(/"value":([\d.]+)/, '"value":"$1"')),
  ],
  [
    'metrics.detail.statistics',
    'a statistic of its own',
    withBody('/metrics/process.uptime', replace('"VALUE"', '"SECONDS"')),
  ],
  [
    'metrics.detail.tags',
    'no tags where there are none',
    withBody(
      '/metrics/process.uptime',
      json(({ availableTags, ...rest }) => rest),
    ),
  ],
  [
    'metrics.detail.tags-once',
    'values twice',
    withBody('/metrics/jvm.memory.used', replace('"heap"', '"heap","heap"')),
  ],
  [
    'metrics.detail.texts',
    'null for what there is not',
    withBody('/metrics/process.uptime', replace('"seconds"', 'null')),
  ],
  [
    'metrics.values.uptime',
    'an uptime in milliseconds since the epoch',
    withBody('/metrics/process.uptime', replace(/"value":[\d.]+/, `"value":${Date.now()}`)),
  ],
  [
    'metrics.values.cpu',
    'a usage in per cent',
    withBody('/metrics/system.cpu.usage', replace(/"value":([\d.]+|null)/, '"value":37.5')),
  ],
  [
    'metrics.values.counts-never-fall',
    'a count that falls',
    withBody('/metrics/contract.odd', (text) =>
      text.replace(/"value":\d+/, `"value":${1_000_000 - performance.now()}`),
    ),
  ],
  [
    'metrics.tag.narrows',
    'tags that are never used up',
    withRequest(({ target }) => ({ target: target.replace(/\?tag=.*/, '') })),
  ],
  [
    'metrics.tag.unknown-value-404',
    'an empty detail for no series',
    withStatus(200, ({ target }) => target.includes('no-such-value')),
  ],
  [
    'metrics.tag.no-colon-400',
    'a tag without a colon is passed over',
    withRequest(({ target }) => ({ target: target.replace(/\?tag=[\w.]+$/, '') })),
  ],
  ['metrics.tag.first-colon', 'a value without colons', withStatus(400, ({ target }) => target.endsWith('%3Aa%3Ab'))],
  [
    'metrics.tag.comma',
    'commas between tags',
    withRequest(({ target }) => ({ target: target.replace('%2C', '&tag=') })),
  ],
  [
    'metrics.requests.counted',
    'requests that nobody counts',
    withBody('/metrics/http.server.requests', (text) => text.replace(/"value":\d+/, '"value":1')),
  ],
  [
    'metrics.requests.statistics',
    'no longest request',
    withBody('/metrics/http.server.requests', replace('"MAX"', '"UNKNOWN"')),
  ],
  [
    'metrics.requests.tags',
    'no statuses',
    withBody('/metrics/http.server.requests', (text) => text.replaceAll('"status"', '"code"')),
  ],
  [
    'metrics.requests.template',
    'paths in place of templates',
    withBody('/metrics/http.server.requests', (text) =>
      text.replace('NOT_FOUND', `/contract-${process.pid}-nobody-knows-this`),
    ),
  ],
  // scrape
  [
    'scrape.text.lines',
    'a quote in a label that is not escaped',
    withBody('/prometheus', replace('a \\"quoted', 'a "quoted')),
  ],
  [
    'scrape.text.types',
    'samples without a type',
    withBody('/prometheus', replace(/^# TYPE process_uptime_seconds.*\n/m, '')),
  ],
  [
    'scrape.text.groups',
    'a family in two places',
    withBody('/prometheus', (text) => `${text}contract_odd_total{value="late"} 1\n`),
  ],
  [
    'scrape.text.series-once',
    'a series twice',
    withBody('/prometheus', replace(/^(process_uptime_seconds .*\n)/m, '$1$1')),
  ],
  ['scrape.text.end', 'a last line that does not end', withBody('/prometheus', (text) => text.trimEnd())],
  [
    'scrape.text.distributions',
    'buckets that are not cumulative',
    withBody('/prometheus', replace(/(contract_size_bytes_bucket\{le="1000.0"\}) \d+/, '$1 0')),
  ],
  [
    'scrape.text.counters',
    'a counter below zero',
    withBody('/prometheus', replace(/^(contract_odd_total\{.*\}) 1/m, '$1 -1')),
  ],
  ['scrape.text.never-falls', 'a counter that falls', withBody('/prometheus', falling)],
  ['scrape.text.media-type', 'text without its version', withField('content-type', 'text/plain', isAt('/prometheus'))],
  ['scrape.openmetrics.end', 'a page that breaks off', withBody('/prometheus', replace('# EOF\n', ''))],
  [
    'scrape.openmetrics.types',
    'a unit that the name does not end in',
    withBody('/prometheus', replace(/^# UNIT (\w+) \w+$/m, '# UNIT $1 parsecs')),
  ],
  [
    'scrape.accept.prometheus',
    'one format for all',
    withRequest((request) => withHeader(request, 'accept', undefined)),
  ],
  [
    'scrape.accept.406',
    'a format for everybody',
    withRequest((request) =>
      request.headers.get('accept') === 'image/png' ? withHeader(request, 'accept', undefined) : {},
    ),
  ],
  [
    'scrape.coding.none',
    'gzip for everybody',
    withRequest((request) => withHeader(request, 'accept-encoding', 'gzip')),
  ],
  [
    'scrape.coding.gzip',
    'gzip that is none',
    {
      ...withRequest((request) => withHeader(request, 'accept-encoding', undefined)),
      ...withField('content-encoding', 'gzip'),
    },
  ],
  [
    'scrape.names.one',
    'all families whatever is asked',
    withRequest(({ target }) => ({ target: target.replace(/\?name.*/, '') })),
  ],
  [
    'scrape.same-families',
    'a family less in OpenMetrics',
    withBody('/prometheus', (text) =>
      text.endsWith('# EOF\n') ? text.replace(/^# TYPE contract_work[\s\S]*?(?=^# TYPE)/m, '') : text,
    ),
  ],
  // conventions
  ['conventions.head.length', 'HEAD with a Content-Length of its own', withField('content-length', '0', isHead)],
  ['conventions.head.info-no-content', 'HEAD with content', withTrailingBytes('{}', isHead)],
  ['conventions.head.health-fields', 'HEAD without a media type', withField('content-type', undefined, isHead)],
  [
    'conventions.head.error',
    'HEAD of an error with content',
    withTrailingBytes('gone', (request, { status }) => isHead(request) && status === 404),
  ],
  [
    'conventions.options.health',
    'OPTIONS without Allow',
    withField('allow', undefined, ({ method }) => method === 'OPTIONS'),
  ],
  ['conventions.options.no-content', 'a 204 with a length', withField('content-length', '0', isStatus(204))],
  ['conventions.405.health', '405 without Allow', withField('allow', undefined, isStatus(405))],
  ['conventions.405.delete', 'DELETE that is passed over', withStatus(200, ({ method }) => method === 'DELETE')],
  [
    'conventions.405.allow-agrees',
    'Allow with what does not work',
    withField('allow', 'GET, HEAD, POST, OPTIONS', isStatus(405)),
  ],
  [
    'conventions.405.trace',
    'TRACE that sends back',
    {
      changeResponse: (response, request) =>
        request.method === 'TRACE'
          ? { ...response, status: 200, body: Buffer.from([...request.headers].join('\n')) }
          : response,
    },
  ],
  [
    'conventions.get.override-field',
    'a field that changes the method',
    withRequest((request) => (request.headers.has('x-http-method-override') ? { method: 'DELETE' } : {})),
  ],
  [
    'conventions.get.no-tunnel',
    'a query that changes the method',
    withRequest((request) => (request.target.includes('_method=DELETE') ? { method: 'DELETE' } : {})),
  ],
  ['conventions.get.connection', 'one answer a connection', {}],
  [
    'conventions.accept.406',
    'JSON for who wants an image',
    withRequest((request) =>
      request.headers.get('accept') === 'image/png' ? withHeader(request, 'accept', '*/*') : {},
    ),
  ],
  [
    'conventions.accept.quality',
    'the first that is named',
    withRequest((request) => withHeader(request, 'accept', request.headers.get('accept')?.split(/[;,]/)[0])),
  ],
  ['conventions.accept.vary', 'no Vary', withField('vary', undefined)],
  [
    'conventions.accept.parameter',
    'no parameter accept',
    withRequest(({ target }) => ({ target: target.replace(/\?accept=.*/, '') })),
  ],
  ['conventions.etag.form', 'no entity tags', withField('etag', undefined)],
  [
    'conventions.etag.stable',
    'a new tag for each answer',
    {
      changeResponse: (response) => ({
        ...response,
        headers: new Map([...response.headers, ['etag', `"${performance.now()}"`]]),
      }),
    },
  ],
  [
    'conventions.etag.304',
    'always the whole',
    withRequest((request) => withHeader(request, 'if-none-match', undefined)),
  ],
  ['conventions.etag.304-no-content', 'a 304 with content', withTrailingBytes('{"status":"UP"}', isStatus(304))],
  ['conventions.etag.304-fields', 'a 304 without its tag', withField('etag', undefined, isStatus(304))],
  [
    'conventions.etag.304-weak',
    'If-None-Match compared strongly',
    withRequest((request) =>
      request.headers.get('if-none-match')?.startsWith('W/') ? withHeader(request, 'if-none-match', undefined) : {},
    ),
  ],
  [
    'conventions.etag.304-list',
    'a list taken for one tag',
    withRequest((request) =>
      request.headers.get('if-none-match')?.includes(',') ? withHeader(request, 'if-none-match', undefined) : {},
    ),
  ],
  [
    'conventions.etag.412',
    'If-Match passed over',
    withRequest((request) => withHeader(request, 'if-match', undefined)),
  ],
  ['conventions.etag.by-fields', 'one tag for the whole and its parts', withField('etag', '"1"', isAt('/info'))],
  [
    'conventions.fields.one',
    'fields passed over',
    withRequest(({ target }) => ({ target: target.replace(/\?fields=.*/, '') })),
  ],
  [
    'conventions.fields.unclosed-400',
    'a broken selection passed over',
    withStatus(200, ({ target }) => target.endsWith('fields=status(')),
  ],
  [
    'conventions.errors.media-type',
    'errors as plain JSON',
    withField('content-type', 'application/json', (_, { status }) => status >= 400),
  ],
  ['conventions.errors.members', 'errors with a text alone', withBody('/no-such-endpoint', () => '{"error":"gone"}')],
  [
    'conventions.errors.status-agrees',
    'another status inside',
    withBody('/no-such-endpoint', replace('"status":404', '"status":500')),
  ],
  [
    'conventions.errors.no-inside',
    'a stack in an error',
    withBody('/no-such-endpoint', replace('"detail":"', '"detail":"at run (file:///app/server.js:12:3) ')),
  ],
  [
    'conventions.errors.no-echo',
    'the query in an error',
    withBody('/no-such-endpoint', (text, { target }) =>
      text.replace('"instance":"', `"instance":"${target.split('?')[1]} `),
    ),
  ],
  [
    'conventions.errors.not-kept',
    'errors that may be kept',
    withField('cache-control', 'max-age=60', (_, { status }) => status >= 400),
  ],
  ['conventions.errors.browser', 'a page for browsers', withBody('/no-such-endpoint', () => '<h1>Not Found</h1>')],
  [
    'conventions.paths.trailing-slash',
    'a trailing slash passed over',
    withRequest(({ target }) => ({ target: target.replace(/\/$/, '') })),
  ],
  [
    'conventions.paths.dots',
    'paths that are resolved',
    withRequest(({ target }) => ({ target: new URL(target, 'http://a').pathname })),
  ],
  [
    'conventions.paths.double-slash',
    'empty segments passed over',
    withRequest(({ target }) => ({ target: target.replaceAll('//', '/') })),
  ],
  ['conventions.paths.case', 'paths in any letters', withRequest(({ target }) => ({ target: target.toLowerCase() }))],
  ['conventions.paths.no-302', '302 to the path with a slash', withStatus(302, isAt('/health/'))],
  ['conventions.caching.date', 'no Date', withField('date', undefined)],
  ['conventions.caching.forbidden', 'nothing for old caches', withField('pragma', undefined)],
  [
    'conventions.caching.max-age',
    'two ages',
    withField('expires', 'Fri, 31 Dec 2100 23:59:59 GMT', isAt('/management')),
  ],
  ['conventions.caching.no-cookies', 'a session for everybody', withField('set-cookie', 'id=1')],
  // trace
  [
    'trace.error.trace-id',
    'errors without their trace',
    withBody('/no-such-endpoint', replace(/,"trace_id":"\w+"/, '')),
  ],
  [
    'trace.malformed.zero-span',
    'half a trace taken for whole',
    withRequest((request) =>
      withHeader(
        request,
        'traceparent',
        request.headers.get('traceparent')?.replace('-0000000000000000-', '-1111111111111111-'),
      ),
    ),
  ],
  [
    'trace.future-version',
    'the version 00 alone',
    withRequest((request) =>
      request.headers.get('traceparent')?.startsWith('cc') ? withHeader(request, 'traceparent', undefined) : {},
    ),
  ],
  [
    'trace.relay.same-trace',
    'a trace that ends here',
    withRequest((request) => withHeader(request, 'traceparent', undefined)),
  ],
  [
    'trace.relay.flags',
    'everything is sampled',
    withRequest((request) =>
      withHeader(request, 'traceparent', request.headers.get('traceparent')?.replace(/-00$/, '-01')),
    ),
  ],
  [
    'trace.relay.tracestate',
    'a tracestate that ends here',
    withRequest((request) => withHeader(request, 'tracestate', undefined)),
  ],
  // webhook
  ['webhook.ok.body', 'OK in capitals', withBody('/hooks/a-key-that-nobody-guesses', replace('ok', 'OK'))],
  ['webhook.ok.content-type', 'ok as JSON', withField('content-type', 'application/json', isStatus(200))],
  ['webhook.ok.x-request-id', 'no request id', withField('x-request-id', undefined)],
  ['webhook.ok.own-request-id', 'one request id for all', withField('x-request-id', '1')],
  [
    'webhook.refuses.unknown-key',
    'any key',
    withRequest(({ target }) => ({ target: target.replace(/\/hooks\/.*/, '/hooks/a-key-that-nobody-guesses') })),
  ],
  ['webhook.refuses.no-json', 'ok for whatever comes', withStatus(200, ({ target }) => target.startsWith('/hooks/'))],
  [
    'webhook.refuses.media-type',
    'any media type',
    withRequest((request) => ({ ...withHeader(request, 'content-type', 'application/json') })),
  ],
  ['webhook.refuses.no-failure', '500 for what is no JSON', withStatus(500, isStatus(400))],
  // env, threaddump and the others that show or change the process
  ...diagnosticMutants,
]
