import type { Clock } from '../base/clock.ts'
import { createTracing } from '../tracing/create-tracing.ts'
import { installTracing } from '../tracing/current-tracing.ts'
import { hasOpenTelemetry } from '../tracing/open-telemetry.ts'
import { createTraceExemplars, type TraceExemplars } from '../tracing/trace-exemplars.ts'
import type { ManagementOptions } from './options.ts'

/** What a management has to do with the traces of its process. */
interface ManagementTracing {
  /** Whether it traces where the process does. */
  readonly isTraced: boolean
  readonly exemplars: TraceExemplars
  readonly close: () => void
}

/**
 * Sees to it that the process is traced, where that is asked for, or there is an SDK of OpenTelemetry's to trace with.
 */
export function installManagementTracing(option: ManagementOptions['tracing'], clock: Clock): ManagementTracing {
  const exemplars = createTraceExemplars(clock)
  if (option === false) return { isTraced: false, exemplars, close: exemplars.close }
  // What others have set up goes before this: a trace is the process's.
  const uninstall =
    option === undefined && !hasOpenTelemetry()
      ? () => {}
      : installTracing(createTracing(typeof option === 'object' ? option : {}), { asFallback: true })
  const close = () => {
    uninstall()
    exemplars.close()
  }
  return { isTraced: true, exemplars, close }
}
