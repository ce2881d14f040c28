import { createTracing } from '../tracing/create-tracing.ts'
import { currentTracing, installTracing } from '../tracing/current-tracing.ts'
import { hasOpenTelemetry } from '../tracing/open-telemetry.ts'
import { createTraceExemplars, type TraceExemplars } from '../tracing/trace-exemplars.ts'
import type { ManagementOptions } from './options.ts'

/** What a management has to do with the traces of its process. */
export interface ManagementTracing {
  /** Whether it traces where the process does. */
  readonly isTraced: boolean
  /** Whether the process does already. */
  readonly isOn: boolean
  readonly exemplars: TraceExemplars
  readonly close: () => void
}

/** Sees to it that the process is traced, where that is asked for, or there is an SDK of OpenTelemetry's to trace with. */
export function installManagementTracing(option: ManagementOptions['tracing']): ManagementTracing {
  const exemplars = createTraceExemplars()
  if (option === false) return { isTraced: false, isOn: false, exemplars, close: () => {} }
  // What others have set up goes before this: a trace is the process's.
  const close =
    option === undefined && !hasOpenTelemetry()
      ? () => {}
      : installTracing(createTracing(typeof option === 'object' ? option : {}), { asFallback: true })
  return { isTraced: true, isOn: currentTracing() !== undefined, exemplars, close }
}
