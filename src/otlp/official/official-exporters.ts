import { failure } from '../../base/errors.ts'
import { type ExporterSources, type Exporters, readCertificates, secretsOf } from '../exporters.ts'
import type { ReceiverSettings } from '../settings/receiver-settings.ts'
import { exportMetrics } from './metrics-export.ts'
import { createReceiverAgent, type ReceiverAgent } from './official-sender.ts'
import { loadMetricsPeers, loadTracingPeers } from './peers.ts'
import { exportTraces } from './traces-export.ts'

/**
 * Loads the packages of OpenTelemetry for some signals.
 *
 * @throws Error if one is missing or too old, with the command that installs them.
 */
export async function loadOfficialExporters(
  signals: Readonly<Record<'traces' | 'metrics', boolean>>,
): Promise<Exporters> {
  const [metricsPeers, tracingPeers] = await Promise.all([
    signals.metrics ? loadMetricsPeers() : undefined,
    signals.traces ? loadTracingPeers() : undefined,
  ])
  return {
    traces(settings, resource, sources) {
      const agent = agentOf(settings, sources)
      const peers = required(tracingPeers)
      return (exporting) => exportTraces(settings, resource, agent, peers, exporting)
    },
    metrics(settings, resource, sources) {
      const agent = agentOf(settings, sources)
      const peers = required(metricsPeers)
      return (source, exporting) => exportMetrics(source, settings, resource, agent, peers, exporting)
    },
  }
}

function agentOf(settings: ReceiverSettings, { clock, readFile }: ExporterSources): ReceiverAgent {
  const certificates = readCertificates(settings.certificates, readFile)
  return createReceiverAgent({ keepAlive: true, ...certificates }, clock, secretsOf(settings))
}

function required<T>(peers: T | undefined): T {
  if (peers === undefined) throw failure('UPKEEP_EDELIVERY', 'The packages of this signal were not loaded')
  return peers
}
