import { keepContext, traceChannel } from '../channel-spans.ts'
import { createOfficialCheck } from '../official.ts'
import { type Row, together } from '../row.ts'
import { startSqlSpan } from './spans/sql-span.ts'
import { numberIn } from './spans/status-code.ts'

/** What mysql2 tells of a statement, since 3.20. */
interface Statement {
  /** With the values in it, where it was made by `query`. */
  readonly query: string
  readonly database?: string
  readonly serverAddress?: string
  readonly serverPort?: number
}

/** Statements of mysql2, prepared or not. Its pool calls back from whoever gives a connection back. */
export const traceMysql2: Row = (tracing, safely) => {
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
  return together([...statements, keepContext('mysql2:pool:connect', tracing, safely)])
}
