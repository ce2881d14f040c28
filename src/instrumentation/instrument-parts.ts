import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { DatabaseOperation } from './database/database-operation.ts'
import type { ClientRequest } from './http-client/client-request.ts'
import type { RedactPath } from './http-server/path-redaction.ts'

/** Dependencies of an instrumentation. */
export interface InstrumentParts {
  readonly clock: Clock
  readonly report: Report
  /** Called with each request that has ended. */
  readonly record: (request: ClientRequest) => void
  /** Called with each database operation that has ended. */
  readonly recordOperation: (operation: DatabaseOperation) => void
  /** Whether the management traces, provided the process does. */
  readonly isTraced: boolean
  /** Redacts the paths of requests. */
  readonly redactPath: RedactPath
}

/** Starts an instrumentation. Returns a function that stops it. */
export type BeginInstrument = (parts: InstrumentParts) => () => void
