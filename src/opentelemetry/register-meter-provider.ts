import { requireKnownOptions } from '../base/known-options.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { registeredApi } from '../tracing/open-telemetry.ts'
import { applicationApi, type OpenTelemetryApi } from './application-api.ts'
import { reportOccupied } from './global-registration.ts'
import { createMeterProvider } from './metrics/meter-provider.ts'

/** The application whose meters are recorded into: the result of `createManagement`, or a registry as `{ meters }`. */
export interface MeteredApplication {
  readonly meters: MeterRegistry
  /** Called with mistakes in the use of the API. @default console.error */
  readonly report?: Report | undefined
}

/** Options of `registerMeterProvider` and `registerTracerProvider`. */
export interface RegisterProviderOptions {
  /**
   * The copy of OpenTelemetry's API to register with: `import * as api from '@opentelemetry/api'`. For bundled
   * applications. @default the installed one
   */
  readonly api?: OpenTelemetryApi | undefined
}

/**
 * Registers a meter provider with OpenTelemetry's API: what libraries record through `@opentelemetry/api` becomes
 * meters of the application, in the scrape and in its OTLP export. Call it before libraries obtain their meters.
 * Returns a function that unregisters the provider. If another provider is registered already, that is reported.
 *
 * @throws Error if `@opentelemetry/api` is not installed; TypeError if an argument has the wrong type.
 */
export function registerMeterProvider(
  management: MeteredApplication,
  options: RegisterProviderOptions = {},
): () => void {
  requireKnownOptions('registerMeterProvider', options, ['api'])
  const { api: given } = options
  const api = applicationApi(given, 'registerMeterProvider')
  const report = contain(management.report ?? reportToConsole)
  const provider = createMeterProvider(management.meters, report)
  if (!api.metrics.setGlobalMeterProvider(provider)) {
    provider.close()
    reportOccupied('registerMeterProvider', 'metrics', report)
    return () => {}
  }
  return () => {
    provider.close()
    if (registeredApi()?.metrics === provider) api.metrics.disable()
  }
}
