/**
 * The methods of RFC 9110 §9.3 and RFC 5789; any other would add a series, or a span name, for each client that sends
 * one.
 */
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
])

export function isKnownMethod(method: string): boolean {
  return methods.has(method)
}
