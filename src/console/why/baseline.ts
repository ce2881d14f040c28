/** Values that a baseline needs: with fewer, nothing is compared. */
const minimumValues = 10

/** Makes the median absolute deviation comparable with a standard deviation. */
const consistency = 1.4826

/** What a value usually is. */
export interface Baseline {
  readonly median: number
  /** The median absolute deviation, as a standard deviation. */
  readonly deviation: number
}

/** Returns the baseline of earlier values; `undefined` for fewer than ten. */
export function baselineOf(values: readonly number[]): Baseline | undefined {
  if (values.length < minimumValues) return undefined
  const median = medianOf(values)
  return { median, deviation: consistency * medianOf(values.map((value) => Math.abs(value - median))) }
}

/**
 * Returns by how many deviations a value is above its baseline: the robust z-score. The deviation is at least `floor`,
 * because values that hardly ever change have one of 0.
 */
export function scoreOf(value: number, { median, deviation }: Baseline, floor: number): number {
  return (value - median) / Math.max(deviation, floor)
}

/** The duration by which a quantile or a mean must be longer than usual, in seconds. */
const minimumDelay = 0.05

const slowScore = 6

/**
 * Whether a duration left its baseline: six deviations, each of at least a quarter of the median, and 50 ms. So it is
 * at least two and a half times what it usually is.
 */
export function isSlower(seconds: number, baseline: Baseline): boolean {
  const floor = Math.max(baseline.median / 4, 0.001)
  return seconds - baseline.median >= minimumDelay && scoreOf(seconds, baseline, floor) >= slowScore
}

const failingScore = 5

/** A share of failures by which it must exceed what it usually is. */
const minimumShare = 0.05

/** A share of failures that is reported also if it is as usual. */
const alwaysTooMany = 0.25

/**
 * Whether a share of failures left its baseline: five deviations, and 5 % of the requests. The deviation is at least
 * that of as many requests which fail by chance. Without a baseline the usual share is 0; a quarter is always too many.
 */
export function failsMore(share: number, count: number, baseline: Baseline | undefined): boolean {
  if (share >= alwaysTooMany) return true
  const usual = baseline ?? { median: 0, deviation: 0 }
  const byChance = Math.sqrt((usual.median * (1 - usual.median)) / count)
  return share - usual.median >= minimumShare && scoreOf(share, usual, Math.max(byChance, 0.01)) >= failingScore
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
