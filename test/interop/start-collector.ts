import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { runServer, type TestServer } from '../support/server-process.ts'

/** An OpenTelemetry Collector that writes what it receives to files. */
export interface Collector extends TestServer {
  /** Where its settings and what it has received are. */
  readonly folder: string
  /** Returns the spans that have arrived. */
  readonly spans: () => Promise<readonly ReceivedSpan[]>
  /** Returns the data points that have arrived, each as often as it was exported. */
  readonly points: (metric: string) => Promise<readonly ReceivedPoint[]>
  /** Returns the texts of the log records that have arrived. */
  readonly logs: () => Promise<readonly string[]>
}

export interface CollectorOptions {
  /** @default a free one */
  readonly port?: number
  /** What receives signals over HTTP. @default all */
  readonly signals?: readonly CollectorSignal[]
  /** Further settings of the receiver, such as `max_request_body_size: 1000`. */
  readonly http?: string
  /** A processor before the others, such as `memory_limiter: { … }`. */
  readonly processor?: string
  /** Files in its folder, by their names. The settings may refer to them as `FOLDER/name`. */
  readonly files?: Readonly<Record<string, string>>
}

export type CollectorSignal = (typeof allSignals)[number]

const allSignals = ['traces', 'metrics', 'logs'] as const

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
export async function startCollector(
  command: string,
  { port: givenPort, signals = allSignals, http = '', processor, files = {} }: CollectorOptions = {},
): Promise<Collector> {
  const port = givenPort ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-collector-'))
  const path = (name: string) => join(folder, name)
  const processors = [...(processor === undefined ? [] : [processor]), 'batch: { timeout: 100ms }']
  const names = processors.map((each) => each.replace(/:.*/, ''))
  const config = [
    `receivers: { otlp: { protocols: { http: { endpoint: '127.0.0.1:${port}'${http && `, ${http}`} } } } }`,
    `processors: { ${processors.join(', ')} }`,
    'exporters:',
    ...signals.map((signal) => `  file/${signal}: { path: '${path(signal)}', append: true, flush_interval: 100ms }`),
    'service:',
    // It would listen on port 8888 for its own.
    '  telemetry: { metrics: { level: none } }',
    '  pipelines:',
    ...signals.map(
      (signal) => `    ${signal}: { receivers: [otlp], processors: [${names}], exporters: [file/${signal}] }`,
    ),
  ]
  for (const [name, content] of Object.entries(files)) await writeFile(path(name), content)
  await writeFile(path('config.yaml'), config.join('\n').replaceAll('FOLDER', folder))
  const url = `http://127.0.0.1:${port}`
  const server = await runServer({
    name: 'the Collector',
    url,
    port,
    command,
    args: ['--config', path('config.yaml')],
    stopSignal: 'SIGTERM',
    greet: () => greet(url),
    clear: () => rm(folder, { recursive: true, force: true }),
  })
  return {
    ...server,
    folder,
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
    logs: async () =>
      (await readDocuments<LogsJson>(path('logs')))
        .flatMap(({ resourceLogs }) => resourceLogs)
        .flatMap(({ scopeLogs }) =>
          scopeLogs.flatMap(({ logRecords }) => logRecords.map(({ body }) => body.stringValue)),
        ),
  }
}

/** Rejects if it does not respond, even with a refusal: of its memory limiter, or because it expects TLS. */
async function greet(url: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await (await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: '{}' })).arrayBuffer()
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

interface LogsJson {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly {
      readonly logRecords: readonly { readonly body: { readonly stringValue: string } }[]
    }[]
  }[]
}
