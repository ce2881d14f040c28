import type { Attributes, Span } from '../../../tracing/span.ts'
import type { Tracing } from '../../../tracing/tracing.ts'

/** Attributes of a database call, by OpenTelemetry's conventions. */
export interface DatabaseCall {
  /** `db.system.name` */
  readonly system: string
  /** `db.operation.name` */
  readonly operation: string
  /** `db.namespace`: the database of the server. */
  readonly namespace?: string | undefined
  /** `db.collection.name` */
  readonly collection?: string | undefined
  /** A host name, or the path of a socket. */
  readonly address?: string | undefined
  readonly port?: number | undefined
  /** Number of operations in a batch. */
  readonly batchSize?: number | undefined
}

/** Starts the span of a database call, named by operation and target. */
export function startDatabaseSpan(tracing: Tracing, call: DatabaseCall): Span {
  const { operation, collection } = call
  const name = collection === undefined ? operation : `${operation} ${collection}`
  return tracing.startSpan(name, { kind: 'client', attributes: attributesOf(call) })
}

/** OpenTelemetry semantic conventions, database client spans. */
function attributesOf({
  system,
  operation,
  namespace,
  collection,
  address,
  port,
  batchSize,
}: DatabaseCall): Attributes {
  return {
    'db.system.name': system,
    'db.operation.name': operation,
    'db.namespace': namespace === '' ? undefined : namespace,
    'db.collection.name': collection,
    'db.operation.batch.size': batchSize !== undefined && batchSize > 1 ? batchSize : undefined,
    'server.address': address,
    'server.port': port,
  }
}
