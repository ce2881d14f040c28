/** A line through points by least squares: its slope, and how much of the variance it explains, from 0 to 1. */
interface Trend {
  readonly slope: number
  readonly fit: number
}

/** Returns the trend of values that do not all have the same place. */
export function trendOf(points: readonly { readonly x: number; readonly y: number }[]): Trend {
  const meanOf = (values: readonly number[]) => sumOf(values) / values.length
  const [meanX, meanY] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))]
  const xx = sumOf(points.map(({ x }) => (x - meanX) ** 2))
  const xy = sumOf(points.map(({ x, y }) => (x - meanX) * (y - meanY)))
  const yy = sumOf(points.map(({ y }) => (y - meanY) ** 2))
  return xx === 0 || yy === 0 ? { slope: 0, fit: 0 } : { slope: xy / xx, fit: xy ** 2 / (xx * yy) }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
