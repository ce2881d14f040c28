import type { Clock } from '../base/clock.ts'
import { createTracing } from '../tracing/create-tracing.ts'
import { installTracing, selectBaggageKeys } from '../tracing/current-tracing.ts'
import { hasOpenTelemetry } from '../tracing/open-telemetry.ts'
import { createTraceExemplars, type TraceExemplars } from '../tracing/trace-exemplars.ts'
import type { ManagementOptions } from './options.ts'

/** The tracing of a management. */
interface ManagementTracing {
  /** Whether requests are traced if the process has a tracing. */
  readonly isTraced: boolean
  readonly exemplars: TraceExemplars
  readonly close: () => void
}

/** Installs tracing for the process if the option enables it, or if the application has an OpenTelemetry SDK. */
export function installManagementTracing(option: ManagementOptions['tracing'], clock: Clock): ManagementTracing {
  const exemplars = createTraceExemplars(clock)
  if (option === false) return { isTraced: false, exemplars, close: exemplars.close }
  // A fallback: traces belong to the process, so a tracing that is already installed takes precedence.
  const tracing =
    option === undefined && !hasOpenTelemetry() ? undefined : createTracing(typeof option === 'object' ? option : {})
  const uninstall = tracing === undefined ? () => {} : installTracing(tracing, { asFallback: true })
  const baggage = typeof option === 'object' ? option.baggage : undefined
  const unselect =
    baggage === undefined ? () => {} : selectBaggageKeys({ logFields: [], spanAttributes: [], ...baggage })
  const close = () => {
    unselect()
    uninstall()
    tracing?.control.revert()
    exemplars.close()
  }
  return { isTraced: true, exemplars, close }
}
