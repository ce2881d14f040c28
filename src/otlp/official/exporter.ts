import { createAttempt, isSuccess } from '../delivery/attempt.ts'
import type { Sender } from '../delivery/delivery.ts'
import type { ReceiverSettings } from '../settings/receiver-settings.ts'
import type { ReceiverAgent } from './receiver-agent.ts'

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

/** An OpenTelemetry exporter of spans or metrics. */
interface OfficialExporter<T> {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void
}

/** Sends items with an exporter; their outcome is that of the request of its agent. */
export function officialSender<T>(exporter: OfficialExporter<T>, agent: ReceiverAgent): Sender<T> {
  return {
    send(items, timeoutMilliseconds) {
      agent.begin(timeoutMilliseconds)
      const { attempt } = agent
      return new Promise((resolve) => {
        const fail = (cause: unknown) => resolve(isSuccess(attempt) ? attempt : { ...attempt, cause })
        try {
          exporter.export(items, ({ code, error }) => {
            // A response that starts as a success but does not complete counts as a success.
            if (code === 0) resolve({ ...createAttempt(), ...attempt, status: attempt.status ?? 200 })
            else fail(error)
          })
        } catch (error) {
          fail(error)
        }
      })
    },
    abort: agent.abort,
  }
}
