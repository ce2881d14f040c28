import { requireKnownOptions } from '../base/known-options.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import { createContextManager } from '../tracing/context/context-manager.ts'
import { createTracing } from '../tracing/create-tracing.ts'
import { installTracing } from '../tracing/current-tracing.ts'
import { applicationApi, installedApi, type RegistrationApi, registerPart, reportOccupied } from './application-api.ts'
import type { RegisterProviderOptions } from './register-meter-provider.ts'
import { createPropagator } from './tracing/trace-propagator.ts'
import { registerOwnTracerProvider } from './tracing/tracer-provider.ts'

/** The application that is traced: the result of `createManagement`, or an object with its `report`. */
export interface TracedApplication {
  /** Called with problems of the registration. @default console.error */
  readonly report?: Report | undefined
}

/**
 * Registers upkeep's tracing with OpenTelemetry's API: spans that libraries start through `@opentelemetry/api` are
 * spans of upkeep, below the span of the request. They are exported if `startTelemetry` was called, before or after;
 * else they have ids only. Also registers a context manager and propagators (W3C Trace Context and Baggage), unless the
 * application has registered its own. Switches tracing on. Returns a function that unregisters all of it. If another
 * tracer provider is registered already, that is reported.
 *
 * @throws Error if `@opentelemetry/api` is not installed; TypeError if `api` is not that.
 */
export function registerTracerProvider(
  management: TracedApplication = {},
  options: RegisterProviderOptions = {},
): () => void {
  requireKnownOptions('registerTracerProvider', options, ['api'])
  const { api: given } = options
  const api = applicationApi(given, 'registerTracerProvider')
  const report = contain(management.report ?? reportToConsole)
  const unregister = registerTracing(api)
  if (unregister === undefined) {
    reportOccupied('registerTracerProvider', 'trace', report)
    return () => {}
  }
  const uninstall = installTracing(createTracing(), { asFallback: true })
  return () => {
    unregister()
    uninstall()
  }
}

/**
 * Registers upkeep's tracer provider, context manager and propagator with OpenTelemetry's API if that is installed.
 * Returns the function that unregisters them; `undefined` if another tracer provider is registered.
 */
export function registerIfInstalled(): (() => void) | undefined {
  const api = installedApi()
  return api === undefined ? () => {} : registerTracing(api)
}

function registerTracing(api: RegistrationApi): (() => void) | undefined {
  const unregister = registerOwnTracerProvider(api.trace)
  if (unregister === undefined) return undefined
  const { context, propagation } = api
  const undo = [
    unregister,
    registerPart('context', context, () => context.setGlobalContextManager(createContextManager())),
    registerPart('propagation', propagation, () => propagation.setGlobalPropagator(createPropagator())),
  ]
  return () => {
    for (const each of undo) each()
  }
}
