import type { ContextManager, MeterProvider, TextMapPropagator, TracerProvider } from '@opentelemetry/api'
import { failure, withErrorCode } from '../base/errors.ts'
import type { Report } from '../base/report.ts'
import { registeredApi, registeredTracerProvider } from '../tracing/open-telemetry.ts'

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
    throw failure(
      'UPKEEP_EPACKAGE',
      `${caller} requires @opentelemetry/api, which is not installed. Install it: npm install @opentelemetry/api`,
    )
  }
  if (isApi(api)) return api
  throw withErrorCode(
    new TypeError(`${caller}: api: expected the exports of @opentelemetry/api 1.9.0 or newer`),
    'UPKEEP_EPACKAGE',
  )
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

/** The parts of OpenTelemetry's API for which an implementation is registered. */
type ApiPart = 'metrics' | 'trace' | 'context' | 'propagation'

/**
 * Registers an implementation unless one is registered; `register` returns whether it was. Returns a function that
 * unregisters it.
 */
export function registerPart(part: ApiPart, api: { disable(): void }, register: () => boolean): () => void {
  // The API would log an error.
  if (implementationOf(part) !== undefined || !register()) return () => {}
  const registered = implementationOf(part)
  return () => {
    if (implementationOf(part) === registered) api.disable()
  }
}

/** Reports why an implementation could not be registered, and what to change. */
export function reportOccupied(caller: string, part: 'metrics' | 'trace', report: Report): void {
  const implementation = implementationOf(part)
  if (implementation === undefined) {
    report(
      `${caller}: nothing is registered, because another copy of @opentelemetry/api ` +
        `(version ${registeredApi()?.version}) was used first; install one copy, or pass that one as "api"`,
    )
    return
  }
  const what = part === 'metrics' ? 'meter provider' : 'tracer provider'
  report(
    `${caller}: nothing is registered, because a ${what} (${implementation.constructor.name}) is registered already; ` +
      `call ${caller} first, or do not register the other one`,
  )
}

function implementationOf(part: ApiPart): object | undefined {
  return part === 'trace' ? registeredTracerProvider() : registeredApi()?.[part]
}
