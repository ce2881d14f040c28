/**
 * Returns the tag `uri` of a request: the template of its route, or one of three constants. Never the path, since
 * clients could create any number of series with it.
 */
export function uriOf(template: string | undefined, status: number): string {
  if (typeof template === 'string' && template !== '') return template
  if (status >= 300 && status < 400) return 'REDIRECTION'
  return status === 404 ? 'NOT_FOUND' : 'UNKNOWN'
}
