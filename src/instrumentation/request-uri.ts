/**
 * The tag `uri` of a request: the template of its route, or one of three words where there is none. The path itself is
 * never told, since whoever asks could make as many series of it as they like.
 */
export function uriOf(template: string | undefined, status: number): string {
  if (typeof template === 'string' && template !== '') return template
  if (status >= 300 && status < 400) return 'REDIRECTION'
  return status === 404 ? 'NOT_FOUND' : 'UNKNOWN'
}
