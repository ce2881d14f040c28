import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { ManagedMetrics } from './managed-metrics.ts'

/** Ends what was bound to the meters. */
type End = (() => void) | undefined

/** What a management measures. It begins when it is used: a service that has only health measures nothing. */
export interface Measurement {
  /** Starts to measure, if that has not begun. */
  start(): ManagedMetrics
  /** Calls a function with the meters when measuring begins, or now; what it returns is called when it ends. */
  onStart(bind: (meters: MeterRegistry) => End): void
  /** Ends it. What starts later ends at once. */
  close(): void
}

/** `create` is called once, when measuring begins. */
export function createMeasurement(create: () => ManagedMetrics): Measurement {
  const binds: ((meters: MeterRegistry) => End)[] = []
  let started: ManagedMetrics | undefined
  const ends: End[] = []
  let isClosed = false
  const end = () => {
    for (const each of ends) each?.()
    started?.close()
  }
  return {
    start() {
      if (started !== undefined) return started
      const created = create()
      // Set before, as what is bound may record something.
      started = created
      for (const bind of binds) ends.push(bind(created.meters))
      if (isClosed) end()
      return created
    },
    onStart(bind) {
      binds.push(bind)
      if (started !== undefined) ends.push(bind(started.meters))
    },
    close() {
      isClosed = true
      end()
    },
  }
}
