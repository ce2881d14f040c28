import type { ContextManager, MeterProvider, TextMapPropagator, TracerProvider } from '@opentelemetry/api'

/** OpenTelemetry's API, as `import * as api from '@opentelemetry/api'` returns it. Matched by shape. */
export interface OpenTelemetryApi {
  readonly metrics: { disable(): void }
  readonly trace: { disable(): void }
  readonly context: { disable(): void }
  readonly propagation: { disable(): void }
}

/** The functions of the API that upkeep calls. */
export interface RegistrationApi extends OpenTelemetryApi {
  readonly metrics: { setGlobalMeterProvider(provider: MeterProvider): boolean; disable(): void }
  readonly trace: { setGlobalTracerProvider(provider: TracerProvider): boolean; disable(): void }
  readonly context: { setGlobalContextManager(manager: ContextManager): boolean; disable(): void }
  readonly propagation: { setGlobalPropagator(propagator: TextMapPropagator): boolean; disable(): void }
}

/**
 * Returns the API to register with: the given one, or else `@opentelemetry/api`, resolved beside upkeep and then from
 * the working directory of the process.
 *
 * @throws Error with the command that installs it, if it is not installed; TypeError if it is not OpenTelemetry's API.
 */
export function applicationApi(given: OpenTelemetryApi | undefined, caller: string): RegistrationApi {
  const api: unknown = given ?? loadApi()
  if (api === undefined) {
    throw new Error(
      `${caller} requires @opentelemetry/api, which is not installed. Install it: npm install @opentelemetry/api`,
    )
  }
  if (isApi(api)) return api
  throw new TypeError(`${caller}: api: expected the exports of @opentelemetry/api 1.9.0 or newer`)
}

const methods = {
  metrics: 'setGlobalMeterProvider',
  trace: 'setGlobalTracerProvider',
  context: 'setGlobalContextManager',
  propagation: 'setGlobalPropagator',
} as const

function isApi(api: unknown): api is RegistrationApi {
  const parts = Object(api) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  return Object.entries(methods).every(([part, method]) => typeof parts[part]?.[method] === 'function')
}

/** Returns `@opentelemetry/api`; `undefined` if it is not installed, or too old. */
export function installedApi(): RegistrationApi | undefined {
  const api = loadApi()
  return isApi(api) ? api : undefined
}

function loadApi(): unknown {
  const { createRequire } = process.getBuiltinModule('node:module')
  // CommonJS has no `import.meta`.
  const ownRequire = createRequire(typeof __filename === 'string' ? __filename : import.meta.url)
  return load(ownRequire) ?? load(createRequire(`${process.cwd()}/`))
}

function load(requireFrom: NodeJS.Require): unknown {
  try {
    return requireFrom('@opentelemetry/api')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
