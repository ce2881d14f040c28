import type { MeterRegistry } from 'upkeep'
import type { MeterSnapshot } from 'upkeep/metrics'
import { createMeterRegistry } from 'upkeep/metrics'
import { onTestFinished } from 'vitest'
import type { BindMeters } from '../../src/runtime/meters/bind-meters.ts'
import { createStatusSampler } from '../../src/runtime/meters/process-status.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export interface BoundMeters {
  readonly meters: MeterRegistry
  readonly clock: ManualClock
  readonly dispose: () => void
  /** The messages of the registry about meters that failed. */
  readonly diagnostics: readonly string[]
  /** The value of each gauge or counter of this name, by its tags as `key=value,…`. */
  readonly gauges: (name: string) => Readonly<Record<string, number>>
  readonly snapshots: (name: string) => readonly MeterSnapshot[]
}

/** Binds one group of runtime meters to a new registry with a manual clock; disposed of after the test. */
export function bindRuntimeMeters(bind: BindMeters, { prefix = 'jvm.', path = '.' } = {}): BoundMeters {
  const clock = createManualClock()
  const diagnostics: string[] = []
  const meters = createMeterRegistry({ clock, diagnose: ({ message }) => diagnostics.push(message) })
  const report = (message: string) => diagnostics.push(message)
  const dispose = bind({ meters, clock, prefix, path, report, status: createStatusSampler(clock) })
  onTestFinished(() => {
    dispose()
    meters.close()
  })
  const snapshots = (name: string) => [...meters.snapshot(name)]
  return {
    meters,
    clock,
    dispose,
    diagnostics,
    snapshots,
    gauges: (name) =>
      Object.fromEntries(
        snapshots(name).map((snapshot) => [
          snapshot.id.tags.map(({ key, value }) => `${key}=${value}`).join(','),
          'value' in snapshot ? snapshot.value : Number.NaN,
        ]),
      ),
  }
}
