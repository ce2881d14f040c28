import { readFileSync } from 'node:fs'
import { failure } from '../../base/errors.ts'

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
  return failure(
    'UPKEEP_EPACKAGE',
    `startTelemetry requires ${name}, which is not installed. Install it: ${installLine(process.versions.node)}`,
  )
}

/**
 * Minimum versions for `startTelemetry`: exporters accept a custom agent from 0.204, which belongs to line 2 of the
 * other packages. `@opentelemetry/api` has its own versions.
 */
const oldest = { api: '1.9.0', exporter: '0.204.0', other: '2.0.0' } as const

/**
 * Checks the installed version of a package, where it can be determined (not in a bundle).
 *
 * @throws Error naming the package, its version, the required version and the command to install it.
 */
function requireVersion(name: string): void {
  const version = installedVersion(name)
  const required = oldest[name.endsWith('/api') ? 'api' : name.includes('/exporter-') ? 'exporter' : 'other']
  if (version === undefined || !isOlder(version, required)) return
  throw failure(
    'UPKEEP_EPACKAGE',
    `startTelemetry requires ${name} ${required} or newer, received ${version}. ` +
      `Install matching versions: ${installLine(process.versions.node)}`,
  )
}

/** Returns the `require` of the application, resolved from the current directory. */
function requireOfApplication(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/`)
}

function installedVersion(name: string): string | undefined {
  const { createRequire } = process.getBuiltinModule('node:module')
  // CommonJS has no `import.meta`.
  const own = createRequire(typeof __filename === 'string' ? __filename : import.meta.url)
  return versionSeenBy(own, name) ?? versionSeenBy(requireOfApplication(), name)
}

function versionSeenBy({ resolve }: NodeJS.Require, name: string): string | undefined {
  try {
    // Beside the folder `build` of each package; not every one exports it.
    const file = resolve(name)
    const manifest = JSON.parse(readFileSync(`${file.slice(0, file.lastIndexOf('build'))}package.json`, 'utf8'))
    return manifest.name === name ? `${manifest.version}` : undefined
  } catch {
    return undefined
  }
}

/** Compares versions by Semantic Versioning, ignoring prereleases. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[.-]/, 3).map(Number))
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index])
  return at !== undefined && Number(a?.[at]) < Number(b?.[at])
}

/**
 * Returns the command that installs matching versions of the OpenTelemetry packages: line 3 where Node supports it (≥
 * 22.15), else line 2. Without version ranges npm would mix the lines.
 */
export function installLine(nodeVersion: string): string {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const { api, stable, experimental } = lines[major > 22 || (major === 22 && minor >= 15) ? 3 : 2]
  const packages = [
    `api@${api}`,
    ...['core', 'resources', 'sdk-trace', 'sdk-metrics'].map((name) => `${name}@${stable}`),
    ...['exporter-trace-otlp-proto', 'exporter-metrics-otlp-proto'].map((name) => `${name}@${experimental}`),
  ]
  return `npm install ${packages.map((name) => `@opentelemetry/${name}`).join(' ')}`
}

const lines = {
  2: { api: '1.9.1', stable: '2.12.0', experimental: '0.223.0' },
  3: { api: '1.10.0', stable: '3.1.0', experimental: '0.301.0' },
} as const
