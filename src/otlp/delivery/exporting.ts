import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { CertificateFiles, ReceiverSettings } from '../settings/receiver-settings.ts'
import type { ExportMeters } from './export-meters.ts'
import type { LossReport } from './loss-report.ts'
import { createReceiverAgent, type ReceiverAgent } from './receiver-agent.ts'

/** Dependencies shared by both signals. */
export interface Exporting {
  readonly meters: ExportMeters
  readonly losses: LossReport
  readonly report: Report
  readonly clock: Clock
  readonly random: () => number
}

/** The export of one signal. */
export interface SignalExport {
  /** Exports current data. Never rejects; takes as long as the receiver, or until `abort`. */
  flush(): Promise<void>
  /** Exports current data and stops. */
  shutdown(): Promise<void>
  /** Cancels deliveries; pending `flush` and `shutdown` calls resolve soon after. */
  abort(): void
}

/** Returns an agent for the exporter of one signal. Reads the certificate files. */
export function agentFor(
  { certificates, headers }: ReceiverSettings,
  clock: Clock,
  readFile: (path: string) => Uint8Array,
): ReceiverAgent {
  // Both the whole value and the token of `Bearer …`.
  const secrets = Object.values(headers)
    .flatMap((value) => [value, ...value.split(' ')])
    .filter(({ length }) => length >= minSecretLength)
  return createReceiverAgent({ keepAlive: true, ...readCertificates(certificates, readFile) }, clock, secrets)
}

/** Shorter values, such as `Basic`, are not searched for in responses. */
const minSecretLength = 6

type Exporter = typeof import('@opentelemetry/exporter-trace-otlp-proto').OTLPTraceExporter
type Compression = NonNullable<NonNullable<ConstructorParameters<Exporter>[0]>['compression']>

/** Options of an OpenTelemetry exporter. */
interface ExporterOptions {
  readonly url: string
  readonly headers: Record<string, string>
  /** A member of a string enum, which is loaded on use only. */
  readonly compression: Compression
  readonly timeoutMillis: number
  readonly httpAgentOptions: ReceiverAgent['create']
  readonly userAgent: string
}

export function exporterOptions(
  { url, headers, compression, timeoutMilliseconds }: ReceiverSettings,
  agent: ReceiverAgent,
): ExporterOptions {
  return {
    url,
    headers: { ...headers },
    compression: compression as Compression,
    // Longer than any attempt, whose timeout the agent enforces.
    timeoutMillis: timeoutMilliseconds + 5_000,
    httpAgentOptions: agent.create,
    userAgent: 'upkeep',
  }
}

function readCertificates(files: CertificateFiles, readFile: (path: string) => Uint8Array): Record<string, Buffer> {
  const read: Record<string, Buffer> = {}
  for (const [name, path] of Object.entries(files)) {
    if (path === undefined) continue
    try {
      read[name] = Buffer.from(readFile(path))
    } catch (error) {
      throw new TypeError(`startTelemetry: cannot read the certificate file ${JSON.stringify(path)}`, {
        cause: error,
      })
    }
  }
  return read
}
