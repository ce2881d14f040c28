import { constants } from 'node:os'
import { listen } from '../../adapters/node.ts'
import { systemClock } from '../base/clock.ts'
import { bindClusterMeters } from '../cluster/cluster-meters.ts'
import type { ClusterReader } from '../entries/cluster.ts'
import { createManagement, type Report } from '../entries/index.ts'
import { onSignals } from '../lifecycle/shutdown/signals.ts'
import { joinSources } from '../metrics/joined-source.ts'
import { leaveOut } from '../metrics/leave-out.ts'
import { createMeterRegistry } from '../metrics/registry.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'

/** Where a command listens. */
export interface ListenAddress {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
}

interface ServerOutput {
  readonly report: Report
  readonly write: (text: string) => void
}

/**
 * Serves the metrics of a group at `/metrics`, and `/health`, until the process receives SIGTERM or SIGINT; a second
 * signal ends the process at once. Rejects if the address is not available.
 */
export async function serveCluster(
  reader: ClusterReader,
  { host, port }: ListenAddress,
  { report, write }: ServerOutput,
): Promise<void> {
  const management = createManagement({
    expose: ['health', 'prometheus'],
    paths: { prometheus: '/metrics', health: '/health' },
    metrics: { runtime: false },
    report,
  })
  management.cluster.attach({
    source: withClusterMeters(reader),
    member: reader.member,
    members: reader.members,
    refused: () => reader.refused().length,
    broadcast() {
      throw new Error('expected a member of the cluster')
    },
    request: async () => 'timeout',
    // No member has it.
    slot: -1,
  })
  try {
    await reader.measurements.refresh?.()
    const { address, close } = await listen(management, { host, port })
    const authority = `${host.includes(':') ? `[${host}]` : host}:${address.port}`
    const ended = endingSignal()
    write(`${reader.id} at http://${authority}/metrics\n`)
    await ended
    await close()
  } finally {
    management.close()
  }
}

/**
 * Returns the values of the members with the meters of the cluster as this process sees it: those of members end with
 * them, and do not change while all are blocked.
 */
function withClusterMeters({ measurements, members, refused }: ClusterReader): SnapshotSource {
  const meters = createMeterRegistry()
  bindClusterMeters(meters, { members, refused: () => refused().length })
  const replaced = new Set(meters.names())
  return joinSources([meters, leaveOut(measurements, () => replaced)])
}

function endingSignal(): Promise<void> {
  return new Promise((resolve) => {
    const second = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal])
    onSignals(['SIGTERM', 'SIGINT'], { first: () => resolve(), second }, systemClock)
  })
}
