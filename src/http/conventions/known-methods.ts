/**
 * The methods of RFC 9110 §9.3 and RFC 5789. Recording any other would let clients create series and span names without
 * limit.
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
