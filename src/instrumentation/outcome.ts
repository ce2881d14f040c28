/** How a request ended, as far as it is no HTTP status. */
export const aborted = -1
export const unanswered = 0

/** The tags `status` and `outcome` of a status, by Spring Boot's names; `ABORTED` and `IO_ERROR` for an end without one. */
export function statusTags(status: number): readonly [status: string, outcome: string] {
  if (status === aborted) return ['499', 'ABORTED']
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
