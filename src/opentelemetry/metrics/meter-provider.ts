import type { Meter, MeterOptions, MeterProvider } from '@opentelemetry/api'
import type { Report } from '../../base/report.ts'
import { extensible } from '../../metrics/extensible-registry.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { createMeterRegistry } from '../../metrics/registry.ts'
import { createMisuseReport } from './misuse.ts'
import { Observations } from './observations.ts'
import { type MeterParts, ScopedMeter } from './scoped-meter.ts'

/** OpenTelemetry's `MeterProvider`, whose instruments are meters of a registry. */
interface RegistryMeterProvider extends MeterProvider {
  /** Removes the callbacks and series of observable instruments. Others can still be recorded into. */
  close(): void
}

/** @throws TypeError if the registry is not one of upkeep's. */
export function createMeterProvider(meters: MeterRegistry, report: Report): RegistryMeterProvider {
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
