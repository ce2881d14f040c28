/** A sample's value: `NaN`, `+Inf` and `-Inf` as both formats spell them, else the shortest text that reads back the same. */
export function formatValue(value: number): string {
  if (value - value === 0) return `${value}`
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/**
 * A bucket's bound or a quantile, which is a label's text and so part of a series' identity: the same in both formats,
 * and an integer with `.0` as OpenMetrics has it (OpenMetrics 1.0, "Numbers").
 */
export function formatBound(bound: number): string {
  const text = formatValue(bound)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}
