import { keepContext, traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { combineUnsubscribes, type TraceLibrary } from '../trace-library.ts'
import { startSqlSpan } from './spans/sql-span.ts'
import { numberIn } from './spans/status-code.ts'

/** The message of a statement, since mysql2 3.20. */
interface Statement {
  /** With its values, if made by `query`. */
  readonly query: string
  readonly database?: string
  readonly serverAddress?: string
  readonly serverPort?: number
}

/** Traces mysql2 statements, prepared or not. Its pool calls back from the releasing operation. */
export const traceMysql2: TraceLibrary = (tracing, safely) => {
  const isTracedElsewhere = createOfficialCheck({
    file: 'mysql2/lib/base/connection.js',
    path: ['prototype', 'query'],
  })
  const statements = ['mysql2:query', 'mysql2:execute'].map((channel) =>
    traceChannel<Statement>(
      channel,
      tracing,
      safely,
      ({ query, database, serverAddress, serverPort }) => {
        if (isTracedElsewhere()) return undefined
        const call = { system: 'mysql', namespace: database, address: serverAddress, port: serverPort }
        return startSqlSpan(tracing, 'mysql', query, call)
      },
      numberIn('errno'),
    ),
  )
  return combineUnsubscribes([...statements, keepContext('mysql2:pool:connect', tracing, safely)])
}
