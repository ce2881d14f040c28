import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { ClientRequest } from './http-client/client-requests.ts'
import type { RedactPath } from './http-server/path-redaction.ts'

/** What an instrument is told of the management that it observes for. */
export interface InstrumentParts {
  readonly clock: Clock
  readonly report: Report
  readonly record: (request: ClientRequest) => void
  /** Whether the management takes part in the traces of its process. */
  readonly isTraced: boolean
  readonly redactPath: RedactPath
}

/** Begins to observe; the function that it answers ends that. */
export type BeginInstrument = (parts: InstrumentParts) => () => void
