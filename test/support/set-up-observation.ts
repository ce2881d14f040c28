import { createMeterRegistry } from 'upkeep/metrics'
import { vi } from 'vitest'
import { redactPath } from '../../src/base/redact-path.ts'
import { micrometer } from '../../src/instrumentation/conventions/micrometer.ts'
import type { ObservationParts } from '../../src/instrumentation/http-server/server-requests.ts'
import { createObservation } from '../../src/instrumentation/observation.ts'
import { createTraceExemplars } from '../../src/tracing/trace-exemplars.ts'

/** An observation on a clock that stands still, and what it has counted. */
export function setUpObservation({ convention = micrometer, meters: given, ...parts }: Partial<ObservationParts> = {}) {
  let now = 0
  const clock = { wallTime: () => now, monotonicTime: () => now }
  const meters = given ?? createMeterRegistry({ clock })
  const report = vi.fn()
  const observation = createObservation({
    measure: () => ({ meters, convention }),
    clock,
    report,
    managementUri: undefined,
    isManagement: undefined,
    isTraced: false,
    exemplars: createTraceExemplars(clock),
    redactPath,
    ...parts,
  })
  const active = () =>
    [...meters.snapshot('http.server.requests.active')].map((one) => one.kind === 'longTaskTimer' && one.activeTasks)
  return { meters, observation, report, active, pass: (milliseconds: number) => (now += milliseconds) }
}
