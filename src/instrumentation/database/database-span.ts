import type { Attributes, Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import type { DatabaseCall } from '../client-operations.ts'

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
