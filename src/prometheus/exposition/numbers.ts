/**
 * Formats a sample's value: `NaN`, `+Inf` and `-Inf` as both formats spell them, else the shortest string that is
 * parsed as the same number. A value that is not a number, contrary to its type, is `NaN`: anything else would make the
 * page invalid.
 */
export function formatValue(value: number): string {
  if (typeof value !== 'number') return 'NaN'
  if (value - value === 0) return `${value}`
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** Whether a value is valid for a counter, a count or a sum: both formats forbid NaN and negative values. */
export function isCount(value: number): boolean {
  return typeof value === 'number' && value >= 0
}

/**
 * Whether the formats allow the count and the sum of a distribution: those of a function timer, or of the application's
 * source, can be anything.
 */
export function isWritable({ count, total }: { readonly count: number; readonly total: number }): boolean {
  return isCount(count) && count < Number.POSITIVE_INFINITY && isCount(total)
}

/**
 * Formats a bound or a quantile. As a label value it is part of the identity of a series, so it is the same in both
 * formats: an integer ends in `.0` (OpenMetrics 1.0, "Numbers").
 */
export function formatBound(bound: number): string {
  const text = formatValue(bound)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}
