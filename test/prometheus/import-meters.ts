import { createMeterRegistry } from 'upkeep/metrics'

/** The meters of a batch job, with a label value that needs care. */
export function meters() {
  const registry = createMeterRegistry()
  registry.counter('rows.imported', { table: 'a "b"\\' }).increment(17)
  registry.timer('import', {}, { slo: [1] }).record(0.25)
  return registry
}
