import type { MeterRegistry } from 'upkeep'
import type { MeterSnapshot } from 'upkeep/metrics'
import { createMeterRegistry } from 'upkeep/metrics'
import { onTestFinished } from 'vitest'
import type { BindMeters } from '../../src/runtime/meters/bind-meters.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export interface Measured {
  readonly meters: MeterRegistry
  readonly clock: ManualClock
  readonly dispose: () => void
  /** What went wrong with a meter, as the registry tells it. */
  readonly diagnosed: readonly string[]
  /** The value of each gauge of this name, by its tags as `key=value,…`. */
  readonly gauges: (name: string) => Readonly<Record<string, number>>
  readonly snapshots: (name: string) => readonly MeterSnapshot[]
}

/** A registry of its own with one group of runtime meters, by a clock that stands still; disposed of after the test. */
export function measure(bind: BindMeters, { prefix = 'jvm.', path = '.' } = {}): Measured {
  const clock = createManualClock()
  const diagnosed: string[] = []
  const meters = createMeterRegistry({ clock, diagnose: ({ message }) => diagnosed.push(message) })
  const dispose = bind({ meters, clock, prefix, path, report: (message) => diagnosed.push(message) })
  onTestFinished(() => {
    dispose()
    meters.close()
  })
  const snapshots = (name: string) => [...meters.snapshot(name)]
  return {
    meters,
    clock,
    dispose,
    diagnosed,
    snapshots,
    gauges: (name) =>
      Object.fromEntries(
        snapshots(name).map((snapshot) => [
          snapshot.id.tags.map(({ key, value }) => `${key}=${value}`).join(','),
          snapshot.kind === 'gauge' ? snapshot.value : Number.NaN,
        ]),
      ),
  }
}
