/**
 * Returns a sample's value: `NaN`, `+Inf` and `-Inf` as both formats spell them, else the shortest text that reads back the
 * same. What is no number, against its type, is `NaN`: anything else would make the page invalid.
 */
export function formatValue(value: number): string {
  if (typeof value !== 'number') return 'NaN'
  if (value - value === 0) return `${value}`
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** Whether a value may be that of a counter, a count or a sum: both formats allow none that is NaN or negative. */
export function isCount(value: number): boolean {
  return typeof value === 'number' && value >= 0
}

/**
 * A bucket's bound or a quantile, which is a label's text and so part of a series' identity: the same in both formats,
 * and an integer with `.0` as OpenMetrics has it (OpenMetrics 1.0, "Numbers").
 */
export function formatBound(bound: number): string {
  const text = formatValue(bound)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}
