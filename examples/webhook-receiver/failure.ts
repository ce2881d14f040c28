/** Anything thrown in one line, with what caused it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A connection that was tried at several addresses fails with an empty message and one error for each.
  const tried = error instanceof AggregateError ? error.errors.map(describeFailure).join('; ') : ''
  const message = error.message || tried || error.name
  return error.cause === undefined ? message : `${message} (${describeFailure(error.cause)})`
}
