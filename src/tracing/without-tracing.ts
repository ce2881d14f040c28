import { lazy } from '../base/lazy.ts'
import { rootContext } from './context/context.ts'
import { currentTracing } from './current-tracing.ts'
import { registeredContextManager, suppressTracingKey } from './open-telemetry.ts'

const suppressed = /* @__PURE__ */ lazy(() => rootContext.setValue(suppressTracingKey, true))

/**
 * Runs work without tracing it: neither by upkeep, whose context OpenTelemetry does not know where there is no SDK, nor
 * by instrumentations of the application's SDK, which find out by its context manager. If that fails, the work is run.
 */
export function withoutTracing<T>(work: () => T): T {
  const tracing = currentTracing()
  const run = tracing === undefined ? work : () => tracing.storage.run(suppressed(), work)
  const manager = registeredContextManager()
  if (manager === undefined) return run()
  let isRun = false
  const runOnce = () => {
    isRun = true
    return run()
  }
  try {
    return manager.with(suppressed(), runOnce)
  } catch (error) {
    if (isRun) throw error
    return run()
  }
}
