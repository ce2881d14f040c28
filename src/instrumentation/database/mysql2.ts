import { keepContext, traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import { startSqlSpan } from './spans/sql-span.ts'
import { numberIn } from './spans/status-code.ts'
import { createSqlTargetReader } from './sql/sql-target.ts'
import { type TimeLibrary, timeChannel } from './time-channel.ts'

/** The message of a statement, since mysql2 3.20. */
interface Statement {
  /** With its values, if made by `query`. */
  readonly query: string
  readonly database?: string
  readonly serverAddress?: string
  readonly serverPort?: number
}

const channels = ['mysql2:query', 'mysql2:execute']
const statusOf = /* @__PURE__ */ numberIn('errno')
const readTarget = /* @__PURE__ */ createSqlTargetReader('mysql')

/** Times mysql2 statements. */
export const timeMysql2: TimeLibrary = (timing, safely) =>
  combineUnsubscribes(
    channels.map((channel) =>
      timeChannel<Statement>(
        channel,
        timing,
        safely,
        (statement) => ({ ...serverOf(statement), ...readTarget(statement.query) }),
        statusOf,
      ),
    ),
  )

/** Traces mysql2 statements, prepared or not. Its pool calls back from the releasing operation. */
export const traceMysql2: TraceLibrary = (tracing, safely) => {
  const isTracedElsewhere = createOfficialCheck({
    file: 'mysql2/lib/base/connection.js',
    path: ['prototype', 'query'],
  })
  const statements = channels.map((channel) =>
    traceChannel<Statement>(
      channel,
      tracing,
      safely,
      (statement) =>
        isTracedElsewhere() ? undefined : startSqlSpan(tracing, 'mysql', statement.query, serverOf(statement)),
      statusOf,
    ),
  )
  return combineUnsubscribes([...statements, keepContext('mysql2:pool:connect', tracing, safely)])
}

function serverOf({ database, serverAddress, serverPort }: Statement) {
  return { system: 'mysql', namespace: database, address: serverAddress, port: serverPort }
}
