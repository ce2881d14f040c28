import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { runServer, type TestServer } from '../support/server-process.ts'

/** An OpenTelemetry Collector that writes what it receives to files. */
export interface Collector extends TestServer {
  /** Returns the spans that have arrived. */
  readonly spans: () => Promise<readonly ReceivedSpan[]>
  /** Returns the data points that have arrived, each as often as it was exported. */
  readonly points: (metric: string) => Promise<readonly ReceivedPoint[]>
}

export type Attributes = Readonly<Record<string, unknown>>

export interface ReceivedSpan extends Omit<SpanJson, 'attributes'> {
  readonly attributes: Attributes
  readonly resource: Attributes
}

export interface ReceivedPoint extends Omit<PointJson, 'attributes'> {
  readonly kind: 'gauge' | 'sum' | 'histogram'
  readonly unit: string | undefined
  readonly attributes: Attributes
  readonly resource: Attributes
}

/** Starts a Collector that receives OTLP over HTTP and writes it out at once. */
export async function startCollector(command: string, givenPort?: number): Promise<Collector> {
  const port = givenPort ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-collector-'))
  const path = (name: string) => join(folder, name)
  const signals = ['traces', 'metrics']
  const config = [
    `receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:${port}' } } } }`,
    'processors: { batch: { timeout: 100ms } }',
    'exporters:',
    ...signals.map((signal) => `  file/${signal}: { path: '${path(signal)}', append: true, flush_interval: 100ms }`),
    'service:',
    // It would listen on port 8888 for its own.
    '  telemetry: { metrics: { level: none } }',
    '  pipelines:',
    ...signals.map(
      (signal) => `    ${signal}: { receivers: [otlp], processors: [batch], exporters: [file/${signal}] }`,
    ),
  ]
  await writeFile(path('config.yaml'), config.join('\n'))
  const url = `http://127.0.0.1:${port}`
  const server = await runServer({
    name: 'the Collector',
    url,
    port,
    command,
    args: ['--config', path('config.yaml')],
    stopSignal: 'SIGTERM',
    greet: async () => {
      const headers = { 'Content-Type': 'application/json' }
      const { ok } = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: '{}' })
      if (!ok) throw new Error('not ready')
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  })
  return {
    ...server,
    spans: async () =>
      (await readDocuments<TracesJson>(path('traces')))
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ resource, scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(withAttributes(resource)))),
    points: async (metric) =>
      (await readDocuments<MetricsJson>(path('metrics')))
        .flatMap(({ resourceMetrics }) => resourceMetrics)
        .flatMap(({ resource, scopeMetrics }) =>
          scopeMetrics
            .flatMap(({ metrics }) => metrics.filter(({ name }) => name === metric))
            .flatMap(({ unit, ...data }) =>
              kinds.flatMap((kind) =>
                (data[kind]?.dataPoints ?? []).map((point) => ({ kind, unit, ...withAttributes(resource)(point) })),
              ),
            ),
        ),
  }
}

const kinds = ['gauge', 'sum', 'histogram'] as const

/** The file exporter writes a document of OTLP/JSON a line: ids in hexadecimal, 64-bit integers as strings. */
async function readDocuments<T>(file: string): Promise<readonly T[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  // The last one may be on its way.
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line): T => JSON.parse(line))
}

function withAttributes(resource: HasAttributes) {
  return <T extends HasAttributes>(item: T) => ({ ...item, attributes: read(item), resource: read(resource) })
}

function read({ attributes = [] }: HasAttributes): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

interface HasAttributes {
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface SpanJson extends HasAttributes {
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code?: number }
}

interface PointJson extends HasAttributes {
  readonly asDouble?: number
  readonly asInt?: string
  readonly count?: string
  readonly sum?: number
  readonly bucketCounts?: readonly string[]
  readonly explicitBounds?: readonly number[]
}

interface TracesJson {
  readonly resourceSpans: readonly {
    readonly resource: HasAttributes
    readonly scopeSpans: readonly { readonly spans: readonly SpanJson[] }[]
  }[]
}

interface MetricJson extends Partial<Record<(typeof kinds)[number], { readonly dataPoints: readonly PointJson[] }>> {
  readonly name: string
  readonly unit?: string
}

interface MetricsJson {
  readonly resourceMetrics: readonly {
    readonly resource: HasAttributes
    readonly scopeMetrics: readonly { readonly metrics: readonly MetricJson[] }[]
  }[]
}
