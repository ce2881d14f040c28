import { installLine } from './install-line.ts'
import { requireOfApplication, requireVersion } from './peer-versions.ts'

// Imported on use, so that `upkeep/otlp` can be imported without them. webpack and Turbopack, which would look for them in
// each build, leave them to Node.

/** The packages for exporting metrics. */
export interface MetricsPeers {
  readonly metrics: typeof import('@opentelemetry/sdk-metrics')
  readonly exporter: typeof import('@opentelemetry/exporter-metrics-otlp-proto')
  readonly resources: typeof import('@opentelemetry/resources')
}

/** The packages for exporting traces. */
export interface TracingPeers {
  readonly api: typeof import('@opentelemetry/api')
  readonly core: typeof import('@opentelemetry/core')
  readonly sdk: TraceSdk
  readonly exporter: typeof import('@opentelemetry/exporter-trace-otlp-proto')
  readonly resources: typeof import('@opentelemetry/resources')
}

type TraceSdk = Pick<
  typeof import('@opentelemetry/sdk-trace'),
  'TracerProvider' | 'BatchSpanProcessor' | 'TraceIdRatioBasedSampler'
>

export async function loadMetricsPeers(): Promise<MetricsPeers> {
  const [metrics, exporter, resources] = await Promise.all([
    required('@opentelemetry/sdk-metrics', () => import(/* webpackIgnore: true */ '@opentelemetry/sdk-metrics')),
    required(
      '@opentelemetry/exporter-metrics-otlp-proto',
      () => import(/* webpackIgnore: true */ '@opentelemetry/exporter-metrics-otlp-proto'),
    ),
    required('@opentelemetry/resources', () => import(/* webpackIgnore: true */ '@opentelemetry/resources')),
  ])
  return { metrics, exporter, resources }
}

export async function loadTracingPeers(): Promise<TracingPeers> {
  const [api, core, sdk, exporter, resources] = await Promise.all([
    required('@opentelemetry/api', () => import(/* webpackIgnore: true */ '@opentelemetry/api')),
    required('@opentelemetry/core', () => import(/* webpackIgnore: true */ '@opentelemetry/core')),
    loadTraceSdk(),
    required(
      '@opentelemetry/exporter-trace-otlp-proto',
      () => import(/* webpackIgnore: true */ '@opentelemetry/exporter-trace-otlp-proto'),
    ),
    required('@opentelemetry/resources', () => import(/* webpackIgnore: true */ '@opentelemetry/resources')),
  ])
  return { api, core, sdk, exporter, resources }
}

/** Loads `sdk-trace`, which both lines have; otherwise adapts `sdk-trace-base` to its shape. */
async function loadTraceSdk(): Promise<TraceSdk> {
  const sdk = await optional(
    '@opentelemetry/sdk-trace',
    () => import(/* webpackIgnore: true */ '@opentelemetry/sdk-trace'),
  )
  if (sdk !== undefined) return sdk
  const base = await optional(
    '@opentelemetry/sdk-trace-base',
    () => import(/* webpackIgnore: true */ '@opentelemetry/sdk-trace-base'),
  )
  if (base === undefined) throw missing('@opentelemetry/sdk-trace')
  return {
    TracerProvider: base.BasicTracerProvider,
    BatchSpanProcessor: class extends base.BatchSpanProcessor {
      constructor({ exporter, ...options }: BatchOptions) {
        super(exporter, options)
      }
    },
    TraceIdRatioBasedSampler: base.TraceIdRatioBasedSampler,
  }
}

type BatchOptions = ConstructorParameters<TraceSdk['BatchSpanProcessor']>[0]

async function required<T>(name: string, load: () => Promise<T>): Promise<T> {
  const loaded = await optional(name, load)
  if (loaded === undefined) throw missing(name)
  return loaded
}

async function optional<T>(name: string, load: () => Promise<T>): Promise<T | undefined> {
  requireVersion(name)
  try {
    return await load()
  } catch (error) {
    if (isMissing(error, name)) return fromApplication<T>(name)
    throw error
  }
}

/** Loads a package visible to the application but not to upkeep, as with pnpm and Yarn Plug'n'Play. */
function fromApplication<T>(name: string): T | undefined {
  try {
    return requireOfApplication()(name)
  } catch (error) {
    if (isMissing(error, name)) return undefined
    throw error
  }
}

function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code))) return false
  return error.message.includes(`'${name}'`) || ('pnpCode' in error && error.message.includes(name))
}

function missing(name: string): Error {
  return new Error(
    `startTelemetry requires ${name}, which is not installed. Install it: ${installLine(process.versions.node)}`,
  )
}
