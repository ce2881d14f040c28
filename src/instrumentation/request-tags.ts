/**
 * Returns the tag `uri` of a request: the template of its route, or one of three constants. Never the path, since
 * clients could create any number of series with it.
 */
export function uriOf(template: string | undefined, status: number): string {
  if (typeof template === 'string' && template !== '') return template
  if (status >= 300 && status < 400) return 'REDIRECTION'
  return status === 404 ? 'NOT_FOUND' : 'UNKNOWN'
}

/**
 * Pseudo-statuses of requests without an HTTP status. A response that was cut off after its header section has the
 * negative of its status.
 */
export const aborted = -1
export const unanswered = 0

/**
 * Returns the tags `status` and `outcome` of a status, named as in Spring Boot; `ABORTED` and `IO_ERROR` without one.
 */
export function statusTags(status: number): readonly [status: string, outcome: string] {
  if (status < 0) return ['499', 'ABORTED']
  if (status === unanswered) return ['IO_ERROR', 'UNKNOWN']
  return [String(status), outcomeOf(status)]
}

function outcomeOf(status: number): string {
  if (status < 100) return 'UNKNOWN'
  if (status < 200) return 'INFORMATIONAL'
  if (status < 300) return 'SUCCESS'
  if (status < 400) return 'REDIRECTION'
  if (status < 500) return 'CLIENT_ERROR'
  if (status < 600) return 'SERVER_ERROR'
  return 'UNKNOWN'
}

/** The tag `exception` of a request without an error. */
export const noException = 'none'
