import { fieldOf, want, wantField, wantFieldLike, wantNoField, wantStatus } from '../answer.ts'
import { isObject, objectOf } from '../json.ts'
import { token } from './application.ts'
import { type Subject, type Trial, wantEqual, wantText } from './subject.ts'

const known = { Authorization: `Bearer ${token}` }
const spring = 'application/vnd.spring-boot.actuator.v3+json'

export const managementTrials: readonly Trial[] = [
  {
    title: 'the index links to the exposed endpoints, and each link without template resolves',
    async attempt({ ask, askFor, at }) {
      const answer = await ask('')
      const { _links: links } = objectOf(answer)
      want(answer, isObject(links), 'links')
      wantEqual(answer, Object.keys(links), [
        'self',
        'health',
        'health-path',
        'info',
        'metrics',
        'metrics-requiredMetricName',
        'prometheus',
      ])
      for (const link of Object.values(links)) {
        const href = isObject(link) ? String(link['href']) : ''
        want(
          answer,
          /^http:\/\/127\.0\.0\.1:\d+\//.test(href) && new URL(href).pathname.startsWith(at('')),
          `a link below ${at('')}`,
        )
        wantEqual(answer, isObject(link) && link['templated'], href.includes('{'))
        if (!href.includes('{')) wantStatus(await askFor(new URL(href).pathname), 200)
      }
    },
  },
  {
    title: 'the index has links without a host if the request’s Host is invalid',
    async attempt({ ask, at }) {
      const answer = await ask('', { headers: { Host: 'a"b' } })
      const { _links: links } = objectOf(answer)
      wantEqual(answer, isObject(links) ? links['health'] : undefined, { href: at('/health'), templated: false })
    },
  },
  {
    title: 'health reports the status, components by name and groups',
    async attempt({ ask }) {
      const answer = await ask('/health')
      wantStatus(answer, 200)
      wantField(answer, 'Content-Type', 'application/json')
      wantText(
        answer,
        '{"status":"UP","components":{' +
          '"cache":{"status":"UP","components":{"far":{"status":"UNKNOWN"},"near":{"status":"UP"}}},' +
          '"db":{"status":"UP"},"livenessState":{"status":"UP"},"readinessState":{"status":"UP"}},' +
          '"groups":["liveness","readiness","storage"]}',
      )
    },
  },
  {
    title: 'health shows details to authorized callers only',
    async attempt({ ask }) {
      wantText(await ask('/health/db'), '{"status":"UP"}')
      wantText(await ask('/health/db', { headers: { Authorization: 'Bearer guess' } }), '{"status":"UP"}')
      wantText(await ask('/health/db', { headers: known }), '{"status":"UP","details":{"database":"PostgreSQL 17"}}')
    },
  },
  {
    title: 'health responds for nested components, and for a group with its own view',
    async attempt({ ask }) {
      wantText(await ask('/health/cache/far'), '{"status":"UNKNOWN"}')
      const answer = await ask('/health/storage')
      wantEqual(answer, objectOf(answer), {
        status: 'UP',
        components: {
          cache: { status: 'UNKNOWN', components: { far: { status: 'UNKNOWN', details: { miles: 7 } } } },
          db: { status: 'UP', details: { database: 'PostgreSQL 17' } },
        },
      })
    },
  },
  {
    title: 'readiness responds with 503 while traffic is refused, liveness with 200',
    async attempt({ ask, management: { availability } }) {
      wantStatus(await ask('/health/readiness'), 200)
      availability.refuseTraffic('draining')
      const answer = await ask('/health/readiness')
      wantStatus(answer, 503)
      wantText(answer, '{"status":"OUT_OF_SERVICE"}')
      wantText(await ask('/health/liveness'), '{"status":"UP"}')
      wantStatus(await ask('/health'), 503)
      availability.acceptTraffic()
      wantStatus(await ask('/health/readiness'), 200)
    },
  },
  {
    title: 'health is never cached (no-store)',
    async attempt({ ask }) {
      const answer = await ask('/health', { headers: { 'If-None-Match': '*' } })
      wantField(answer, 'Cache-Control', 'no-store')
      wantField(answer, 'Pragma', 'no-cache')
      wantField(answer, 'Expires', '0')
      wantNoField(answer, 'ETag')
    },
  },
  {
    title: 'info describes the application; its length is counted in bytes',
    async attempt({ ask }) {
      const answer = await ask('/info')
      wantText(answer, '{"application":{"name":"orders","version":"1.4.2"},"team":{"name":"Éléonore ☂","size":3}}')
      wantField(answer, 'Content-Length', String(answer.bytes.length))
    },
  },
  {
    title: 'info returns the selected fields',
    async attempt({ ask }) {
      const answer = await ask('/info?fields=application(version),team(size)')
      wantText(answer, '{"application":{"version":"1.4.2"},"team":{"size":3}}')
    },
  },
  {
    title: 'info responds with 304 without content to a current copy, and with 412 to a condition on another version',
    async attempt({ ask }) {
      const copy = await ask('/info')
      wantFieldLike(copy, 'ETag', /^"[\w-]+"$/, 'a strong entity tag')
      const etag = fieldOf(copy, 'ETag')
      const fresh = await ask('/info', { headers: { 'If-None-Match': `"other", W/${etag}` } })
      wantStatus(fresh, 304)
      wantField(fresh, 'ETag', etag)
      wantField(fresh, 'Vary', 'Accept')
      want(fresh, fresh.surplus === 0, 'no bytes after the header section')
      const statusOf = async (path: string, headers: Readonly<Record<string, string>>, status: number) =>
        wantStatus(await ask(path, { headers }), status)
      await statusOf('/info?fields=team', { 'If-None-Match': etag }, 200)
      await statusOf('/info', { 'If-None-Match': etag, Accept: spring }, 200)
      await statusOf('/info', { 'If-Match': '"other"' }, 412)
      await statusOf('/info', { 'If-Match': etag }, 200)
    },
  },
  {
    title: 'a problem document has the trace id of the request',
    async attempt({ ask }) {
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      const answer = await ask('/none', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
      wantStatus(answer, 404)
      want(answer, objectOf(answer)['trace_id'] === traceId, `"trace_id":"${traceId}"`)
    },
  },
  {
    title: 'endpoints that are not exposed do not exist',
    attempt: async ({ ask }: Subject) => {
      for (const path of ['/loggers', '/env']) wantStatus(await ask(path), 404)
    },
  },
  {
    title: 'requests to other paths are passed on with their body',
    async attempt({ askFor }) {
      const content = '{"hello":"☂"}'
      const answer = await askFor('/echo', { method: 'POST', headers: { 'Content-Type': 'application/json' }, content })
      wantStatus(answer, 200)
      wantText(answer, content)
    },
  },
]
