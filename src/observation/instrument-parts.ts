import type { Clock } from '../clock.ts'
import type { Report } from '../report.ts'
import type { ClientRequest } from './client-requests.ts'
import type { RedactPath } from './path-redaction.ts'

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
