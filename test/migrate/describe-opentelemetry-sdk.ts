import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readDocumented } from '../support/documented.ts'
import { listen } from '../support/listen.ts'
import { attributesOf, type Metric, type SentSpan } from '../support/otlp/decode.ts'
import { startReceiver } from '../support/otlp/receiver.ts'
import { startDocumented } from './documented-program.ts'

const page = 'opentelemetry-sdk.md'

/** Describes what a receiver gets from the programs of the page, in a project with upkeep and OpenTelemetry's SDK. */
export function describeMigration(project: string): void {
  const withSdk = {
    args: ['--import', './otel.mjs'],
    files: { 'otel.mjs': readDocumented(`migrate/${page}`, 'otel.mjs') },
  }

  /** What a receiver gets of three requests. */
  async function telemetryOf(name: string, options: { readonly env?: Readonly<Record<string, string>> } = {}) {
    const receiver = await startReceiver()
    onTestFinished(receiver.dispose)
    const stock = await listen((req, res) => res.writeHead(req.url === '/items/13' ? 500 : 200).end('7'))
    onTestFinished(stock.close)
    const stops = name === 'after.mjs' ? { '{ flush': "{ delay: '0s', flush" } : undefined
    const program = await startDocumented(page, name, {
      project,
      ...options,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        OTEL_LOGS_EXPORTER: 'none',
        OTEL_NODE_RESOURCE_DETECTORS: 'none',
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
        OTEL_METRIC_EXPORT_TIMEOUT: '900',
        ...options.env,
      },
      replace: { 'http://stock:8080': `http://127.0.0.1:${stock.port}`, ...stops },
    })
    for (const path of ['/orders/17', '/orders/13?color=red', '/elsewhere']) await program.get(path)
    const metrics = () => {
      const latest = receiver.exports.flatMap((each) => each.metrics)
      return new Map(latest.map((metric) => [metric.name, metric]))
    }
    const isExported = () =>
      countOf(metrics().get('http.server.request.duration')) === 3 && metrics().has('nodejs.eventloop.utilization')
    await expect.poll(isExported).toBe(true)
    program.child.process.kill('SIGTERM')
    await program.child.ended
    const spans = receiver.exports.flatMap((each) => each.spans)
    return { spans, metrics: metrics() }
  }

  describe("coming from OpenTelemetry's NodeSDK with auto-instrumentations", () => {
    it('a receiver gets the same SERVER and CLIENT spans, and the same metrics', async () => {
      const [old, current] = await Promise.all([
        telemetryOf('before.mjs', { ...withSdk, env: { OTEL_METRICS_EXPORTER: 'otlp' } }),
        telemetryOf('after.mjs'),
      ])

      for (const kind of ['SPAN_KIND_SERVER', 'SPAN_KIND_CLIENT'] as const) {
        const [before, after] = [ofKind(old.spans, kind), ofKind(current.spans, kind)]
        expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
        expect(after.map(statusOf)).toEqual(before.map(statusOf))
        for (const [at, span] of before.entries()) {
          const [was, is] = [comparable(span), comparable(after[at] as SentSpan)]
          const lost = Object.keys(was).filter((key) => !(key in is))
          expect(lost.sort()).toEqual(lost.filter((key) => absent[kind].includes(key)))
          expect(was).toMatchObject(is)
        }
      }
      expect(parentNames(current.spans)).toEqual(['GET /orders/:id', 'GET /orders/:id'])

      expect([...old.metrics.keys()].filter((name) => !current.metrics.has(name))).toEqual([])
      for (const [name, { unit }] of old.metrics) expect([name, current.metrics.get(name)?.unit]).toEqual([name, unit])
      const server = 'http.server.request.duration'
      expect(pointsOf(old.metrics.get(server))).toHaveLength(2)
      expect(pointsOf(current.metrics.get(server))).toEqual(pointsOf(old.metrics.get(server)))
      const client = 'http.client.request.duration'
      expect(pointsOf(old.metrics.get(client))).toHaveLength(2)
      expect(pointsOf(current.metrics.get(client))).toEqual(pointsOf(old.metrics.get(client)))
    })

    it('beside each other, the SDK sends the spans and upkeep the metrics, each once', async () => {
      const { spans, metrics } = await telemetryOf('both.mjs', { ...withSdk, env: { OTEL_METRICS_EXPORTER: 'none' } })
      expect(ofKind(spans, 'SPAN_KIND_SERVER')).toHaveLength(3)
      expect(ofKind(spans, 'SPAN_KIND_CLIENT')).toHaveLength(2)
      expect(spans.some(({ name }) => name.startsWith('middleware'))).toBe(true)
      expect(countOf(metrics.get('http.server.request.duration'))).toBe(3)
      expect(countOf(metrics.get('http.client.request.duration'))).toBe(2)
      // Upkeep has it, and the SDK has not.
      expect(metrics.has('http.server.active_requests')).toBe(true)
    })

    it('the page names every attribute that is absent', () => {
      const text = readFileSync(resolve(import.meta.dirname, '../../docs/migrate', page), 'utf8')
      for (const name of Object.values(absent).flat()) expect(text).toContain(`\`${name}\``)
    })
  })
}

/** The attributes of the SDK that upkeep omits, as on the page. */
const absent = {
  SPAN_KIND_SERVER: [
    'client.address',
    'network.peer.address',
    'network.peer.port',
    'network.protocol.version',
    'url.query',
  ],
  SPAN_KIND_CLIENT: [
    'http.request.method_original',
    'network.peer.address',
    'network.peer.port',
    'network.protocol.version',
    'url.path',
    'url.query',
    'url.scheme',
    'user_agent.original',
  ],
}

function ofKind(spans: readonly SentSpan[], kind: keyof typeof absent): readonly SentSpan[] {
  const key = (span: SentSpan) => {
    const { 'url.path': path, 'http.response.status_code': status } = attributesOf(span.attributes)
    return `${kind === 'SPAN_KIND_SERVER' ? path : status}`
  }
  return spans.filter((span) => span.kind === kind).sort((one, other) => (key(one) < key(other) ? -1 : 1))
}

function statusOf({ status }: SentSpan): string {
  return status?.code ?? 'STATUS_CODE_UNSET'
}

/** The attributes of a span without those that differ from one run to the next, and without `url.full`. */
function comparable(span: SentSpan): Readonly<Record<string, unknown>> {
  const { 'server.port': _port, 'url.full': url, ...attributes } = attributesOf(span.attributes)
  return { ...attributes, ...(url !== undefined && { 'url.full': String(url).replace(/:\d+\/items\/.*/, '') }) }
}

/** The names of the spans that the CLIENT spans are directly below. */
function parentNames(spans: readonly SentSpan[]): readonly (string | undefined)[] {
  return ofKind(spans, 'SPAN_KIND_CLIENT').map(
    ({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId)?.name,
  )
}

function countOf(metric: Metric | undefined): number {
  const points = metric?.histogram?.dataPoints ?? []
  return points.reduce((sum, { count }) => sum + Number(count), 0)
}

/** The counts of a histogram by its attributes and buckets, without what upkeep omits and what differs between runs. */
function pointsOf(metric: Metric | undefined): readonly unknown[] {
  const points = (metric?.histogram?.dataPoints ?? []).map(({ attributes, count, explicitBounds }) => {
    const { 'server.port': _port, ...all } = attributesOf(attributes)
    const { 'url.scheme': scheme, 'network.protocol.version': version, ...rest } = all
    const kept = metric?.name.includes('client') ? rest : { ...rest, scheme, version }
    return { attributes: Object.entries(kept).sort().join(), count, explicitBounds }
  })
  return points.sort((one, other) => (one.attributes < other.attributes ? -1 : 1))
}
