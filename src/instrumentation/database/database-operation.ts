/** A database call, by the attributes of OpenTelemetry's conventions. */
export interface DatabaseCall {
  /** `db.system.name` */
  readonly system: string
  /** `db.operation.name` */
  readonly operation: string
  /** `db.namespace`: the database of the server. */
  readonly namespace?: string | undefined
  /** `db.collection.name` */
  readonly collection?: string | undefined
  /** `db.stored_procedure.name` */
  readonly procedure?: string | undefined
  /** A host name, or the path of a socket. */
  readonly address?: string | undefined
  readonly port?: number | undefined
  /** Number of operations in a batch. */
  readonly batchSize?: number | undefined
}

/** A database call that has ended, to be recorded. */
export interface DatabaseOperation extends DatabaseCall {
  readonly seconds: number
  /** `undefined` if the call succeeded. */
  readonly error: unknown
  /** `db.response.status_code` of the error. */
  readonly statusCode: string | undefined
}
