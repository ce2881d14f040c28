/**
 * An error as an operator reads it: its kind and its message. The message of an error that only gathers others, as a
 * refused connection to a name with two addresses does, is theirs.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const gathered = error instanceof AggregateError && error.message === '' ? error.errors.map(messageOf) : []
  const message = gathered.length > 0 ? gathered.join('; ') : error.message
  return message === '' ? error.name : `${error.name}: ${message}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
