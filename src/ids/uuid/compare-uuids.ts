/**
 * Negative, zero or positive, as `a` comes before, is, or comes after `b` in the order of their bytes, which for
 * versions 6 and 7 is the order of time: for `Array.prototype.sort`. Upper and lower case are the same.
 */
export function compareUuids(a: string, b: string): number {
  const left = a.toLowerCase()
  const right = b.toLowerCase()
  if (left === right) return 0
  return left < right ? -1 : 1
}
