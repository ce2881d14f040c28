import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Listening, listen } from '../../support/listen.ts'

const v3 = 'application/vnd.spring-boot.actuator.v3+json'
const jsonTypes = [v3, 'application/vnd.spring-boot.actuator.v2+json', 'application/json']
const textType = 'text/plain;version=0.0.4;charset=utf-8'
const openMetricsType = 'application/openmetrics-text;version=1.0.0;charset=utf-8'

/** A server like a Spring Boot Actuator: its base path, media types and error bodies, without further conventions. */
export async function startFakeActuator(): Promise<Listening> {
  let requests = 0
  const uptimeOf = () => process.uptime()
  return listen((req, res) => {
    const url = new URL(`http://${req.headers.host ?? 'a'}${req.url}`)
    if (url.pathname === '/orders') {
      requests++
      return void res.end('[]')
    }
    const resource = resources(url, uptimeOf, requests)
    if (resource === undefined) return fail(req, res, 404)
    if (req.method !== 'GET' && req.method !== 'HEAD') return fail(req, res, 405, { Allow: 'GET' })
    const offers = typeof resource.body === 'string' ? [textType, openMetricsType] : jsonTypes
    const type = choose(req.headers.accept, offers)
    if (type === undefined) return fail(req, res, 406)
    if (resource.status === 404 || resource.status === 400) {
      return resource.status === 404 ? void res.writeHead(404).end() : fail(req, res, 400)
    }
    const text =
      typeof resource.body === 'string'
        ? resource.body + (type === openMetricsType ? '# EOF\n' : '')
        : JSON.stringify(resource.body)
    res.writeHead(resource.status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
    res.end(req.method === 'HEAD' ? undefined : text)
  })
}

interface Resource {
  readonly status: number
  readonly body: unknown
}

const found = (body: unknown, status = 200): Resource => ({ status, body })
const missing: Resource = { status: 404, body: undefined }

function resources(url: URL, uptime: () => number, requests: number): Resource | undefined {
  const base = `http://${url.host}/actuator`
  const link = (path: string) => ({ href: `${base}${path}`, templated: path.includes('{') })
  const [, metric] = /^\/actuator\/metrics\/([^/]+)$/.exec(url.pathname) ?? []
  if (metric !== undefined)
    return metricDetail(decodeURIComponent(metric), url.searchParams.getAll('tag'), uptime, requests)
  const [, component] = /^\/actuator\/health\/(.+)$/.exec(url.pathname) ?? []
  if (component !== undefined)
    return component === 'liveness' || component === 'readiness' ? found({ status: 'UP' }) : missing
  switch (url.pathname) {
    case '/actuator':
      return found({
        _links: {
          self: link(''),
          health: link('/health'),
          'health-path': link('/health/{*path}'),
          info: link('/info'),
          metrics: link('/metrics'),
          'metrics-requiredMetricName': link('/metrics/{requiredMetricName}'),
          prometheus: link('/prometheus'),
        },
      })
    case '/actuator/health':
      return found({ groups: ['liveness', 'readiness'], status: 'UP' })
    case '/actuator/info':
      return found({ build: { artifact: 'orders', time: '2026-01-02T03:04:05Z' } })
    case '/actuator/metrics':
      return found({ names: Object.keys(units).sort() })
    case '/actuator/prometheus':
      return found(
        '# HELP process_uptime_seconds The uptime\n' +
          `# TYPE process_uptime_seconds gauge\nprocess_uptime_seconds ${uptime()}\n`,
      )
    default:
      return undefined
  }
}

const units: Readonly<Record<string, string>> = {
  'http.server.requests': 'seconds',
  'jvm.memory.max': 'bytes',
  'jvm.memory.used': 'bytes',
  'jvm.threads.live': 'threads',
  'process.uptime': 'seconds',
  'system.cpu.usage': '',
}

function metricDetail(name: string, tags: readonly string[], uptime: () => number, requests: number): Resource {
  if (!Object.hasOwn(units, name)) return missing
  if (tags.some((tag) => !tag.includes(':'))) return { status: 400, body: undefined }
  const own: Readonly<Record<string, string>> =
    name === 'http.server.requests'
      ? { method: 'GET', outcome: 'SUCCESS', status: '200', uri: '/orders' }
      : name.startsWith('jvm.memory')
        ? { area: 'heap' }
        : {}
  const selected = tags.map((tag) => [tag.slice(0, tag.indexOf(':')), tag.slice(tag.indexOf(':') + 1)] as const)
  if (selected.some(([key, value]) => own[key] !== value)) return missing
  const value = name === 'process.uptime' ? uptime() : name === 'system.cpu.usage' ? 0.25 : 50_000_000
  const measurements =
    name === 'http.server.requests'
      ? [
          { statistic: 'COUNT', value: requests },
          { statistic: 'TOTAL_TIME', value: requests * 0.01 + 0.01 },
          { statistic: 'MAX', value: 0.01 },
        ]
      : [{ statistic: 'VALUE', value }]
  const availableTags = Object.entries(own)
    .filter(([key]) => !selected.some(([used]) => used === key))
    .map(([tag, one]) => ({ tag, values: [one] }))
  return found({ name, ...(units[name] && { baseUnit: units[name] }), measurements, availableTags })
}

/** Selects a media type like its framework: the first accepted one, regardless of quality values. */
function choose(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (accept === undefined || !accept.includes('/')) return offers[0]
  const wanted = accept.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
  const named = offers.filter((offer) => wanted.includes(offer.split(';')[0] ?? ''))
  return named.at(-1) ?? (wanted.some((range) => /^(\*|application|text)\/\*$/.test(range)) ? offers[0] : undefined)
}

function fail(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  fields: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify({
    timestamp: new Date().toISOString(),
    status,
    error: 'Any',
    path: req.url?.split('?')[0],
  })
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...fields })
  res.end(req.method === 'HEAD' ? undefined : text)
}
