/**
 * Compares two UUIDs by their bytes, for `Array.prototype.sort`. For versions 6 and 7 that is the order of time.
 * Returns -1, 0 or 1. Case-insensitive.
 */
export function compareUuids(a: string, b: string): number {
  const left = a.toLowerCase()
  const right = b.toLowerCase()
  if (left === right) return 0
  return left < right ? -1 : 1
}
