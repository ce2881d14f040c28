import type { Meter, MeterOptions, MeterProvider } from '@opentelemetry/api'
import { requireKnownOptions } from '../base/known-options.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import { extensible } from '../metrics/extensible-registry.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { createMeterRegistry } from '../metrics/registry.ts'
import { registeredApi } from '../tracing/open-telemetry.ts'
import { applicationApi, type OpenTelemetryApi, reportOccupied } from './application-api.ts'
import { createMisuseReport } from './metrics/meter-factory.ts'
import { Observations } from './metrics/observations.ts'
import { type MeterParts, ScopedMeter } from './metrics/scoped-meter.ts'

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

/** OpenTelemetry's `MeterProvider`, whose instruments are meters of a registry. */
interface RegistryMeterProvider extends MeterProvider {
  /** Removes the callbacks and series of observable instruments. Others can still be recorded into. */
  close(): void
}

/** @throws TypeError if the registry is not one of upkeep's. */
function createMeterProvider(meters: MeterRegistry, report: Report): RegistryMeterProvider {
  const misuse = createMisuseReport(report)
  const observations = new Observations(misuse)
  const registry = extensible(meters, 'registerMeterProvider')
  const discarded = extensible(createMeterRegistry({ diagnose: () => {} }), 'registerMeterProvider')
  const parts: MeterParts = { registry, discarded, misuse, observations }
  const scoped = new Map<string, ScopedMeter>()
  const endRefreshing = registry.onRefresh(() => observations.refresh())
  return {
    getMeter(name: string, version?: string, { schemaUrl }: MeterOptions = {}): Meter {
      const key = JSON.stringify([name, version, schemaUrl])
      const known = scoped.get(key)
      if (known !== undefined) return known
      const scope = { name: textOf(name) ?? '', version: textOf(version) }
      const meter = new ScopedMeter(scope, parts)
      scoped.set(key, meter)
      return meter
    },
    close() {
      endRefreshing()
      observations.clear()
    },
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
