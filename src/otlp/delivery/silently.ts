import { rootContext } from '../../tracing/context/context.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import { suppressTracingKey } from '../../tracing/open-telemetry.ts'

const suppressed = rootContext.setValue(suppressTracingKey, true)

/**
 * Runs work without tracing it, also where upkeep traces without an SDK and OpenTelemetry does not know its context.
 */
export function withoutTracing<T>(work: () => T): T {
  const tracing = currentTracing()
  return tracing === undefined ? work() : tracing.storage.run(suppressed, work)
}
