import { rootContext } from '../../tracing/context/context.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import { suppressTracingKey } from '../../tracing/open-telemetry.ts'

const suppressed = rootContext.setValue(suppressTracingKey, true)

/** Does work that is not to be traced, also where upkeep traces without an SDK, whose context OpenTelemetry does not know. */
export function silently<T>(work: () => T): T {
  const tracing = currentTracing()
  return tracing === undefined ? work() : tracing.storage.run(suppressed, work)
}
