/** Describes any thrown value in one line, with its causes. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A connection attempt to several addresses fails with an empty message and one error per address.
  const tried = error instanceof AggregateError ? error.errors.map(describeFailure).join('; ') : ''
  const message = error.message || tried || error.name
  return error.cause === undefined ? message : `${message} (${describeFailure(error.cause)})`
}
