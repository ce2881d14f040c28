import type { MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import type { CallTotals } from './call-minutes.ts'

const waitTimers = ['hikaricp.connections.acquire', 'db.client.connection.wait_time']
const lossCounters = ['otlp.dropped', 'otlp.failed', 'otlp.rejected', 'otlp.held.dropped']

/** Returns how often and how long connections of a pool were waited for, by the name of the pool. */
export function readPoolWaits(source: SnapshotSource): ReadonlyMap<string, CallTotals> {
  const waits = new Map<string, CallTotals>()
  for (const snapshot of snapshotsOf(source, waitTimers)) {
    const pool = tagOf(snapshot, 'pool') ?? tagOf(snapshot, 'db.client.connection.pool.name')
    if (snapshot.kind !== 'timer' || pool === undefined) continue
    waits.set(pool, { calls: snapshot.count, errors: 0, total: snapshot.total })
  }
  return waits
}

/** Returns how many spans, data points and log records did not reach a receiver, by signal. */
export function readTelemetryLoss(source: SnapshotSource): ReadonlyMap<string, CallTotals> {
  const lost = new Map<string, CallTotals>()
  for (const snapshot of snapshotsOf(source, lossCounters)) {
    const signal = tagOf(snapshot, 'signal')
    if (snapshot.kind !== 'counter' || signal === undefined) continue
    const calls = (lost.get(signal)?.calls ?? 0) + snapshot.value
    lost.set(signal, { calls, errors: calls, total: 0 })
  }
  return lost
}

function* snapshotsOf(source: SnapshotSource, names: readonly string[]): Generator<MeterSnapshot> {
  for (const name of names) yield* source.snapshot(name)
}

function tagOf({ id }: MeterSnapshot, key: string): string | undefined {
  return id.tags.find((tag) => tag.key === key)?.value
}
