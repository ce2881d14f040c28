import type { Clock } from '../../base/clock.ts'
import type { Report } from '../../base/report.ts'
import type { CertificateFiles, ReceiverSettings } from '../settings/receiver-settings.ts'
import type { ExportMeters } from './export-meters.ts'
import type { LossReport } from './loss-report.ts'
import { createReceiverAgent, type ReceiverAgent } from './receiver-agent.ts'

/** What both signals are exported with. */
export interface Exporting {
  readonly meters: ExportMeters
  readonly losses: LossReport
  readonly report: Report
  readonly clock: Clock
  readonly random: () => number
}

/** One signal on its way. */
export interface SignalExport {
  /** Sends what there is now. Never rejects; how long it takes is up to the receiver, or to `abort`. */
  flush(): Promise<void>
  /** The same, and then no more. */
  shutdown(): Promise<void>
  /** Gives up what is under way: `flush` and `shutdown` resolve soon after. */
  abort(): void
}

/** An agent for the exporter of one signal. The files are read now. */
export function agentFor(
  { certificates, headers }: ReceiverSettings,
  clock: Clock,
  readFile: (path: string) => Uint8Array,
): ReceiverAgent {
  // The token of `Bearer …` as well as the whole.
  const secrets = Object.values(headers)
    .flatMap((value) => [value, ...value.split(' ')])
    .filter(({ length }) => length >= shortestSecret)
  return createReceiverAgent({ keepAlive: true, ...readCertificates(certificates, readFile) }, clock, secrets)
}

/** What is shorter, as the word `Basic`, is no secret that a text could be searched for. */
const shortestSecret = 6

/** What an exporter of OpenTelemetry is told. */
export interface ExporterOptions {
  readonly url: string
  readonly headers: Record<string, string>
  /** Of an enum of @opentelemetry/otlp-exporter-base, whose values are these texts. */
  readonly compression: never
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
    compression: compression as never,
    // Later than that of any attempt, which the agent ends.
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
      throw new TypeError(`startTelemetry: the certificate file ${JSON.stringify(path)} cannot be read`, {
        cause: error,
      })
    }
  }
  return read
}
