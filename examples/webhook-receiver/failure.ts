import { isHttpError, type Report } from 'upkeep'

/** Anything thrown in one line, with what caused it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A connection that was tried at several addresses fails with an empty message and one error for each.
  const tried = error instanceof AggregateError ? error.errors.map(describeFailure).join('; ') : ''
  const message = error.message || tried || error.name
  return error.cause === undefined ? message : `${message} (${describeFailure(error.cause)})`
}

/** Writes to the log, in which the keys of hooks have no place: whoever reads one can post. */
export const reportToLog: Report = (message, cause) => {
  const unforeseen = cause instanceof Error && !isHttpError(cause)
  const why = cause === undefined ? '' : `: ${unforeseen ? cause.stack : describeFailure(cause)}`
  console.error(`webhook-receiver: ${hideKeys(message)}${why}`)
}

function hideKeys(text: string): string {
  return text.replaceAll(/\/hooks\/[^\s/?]+/g, '/hooks/…')
}
