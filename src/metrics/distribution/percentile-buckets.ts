const finest = 2n

/**
 * The bounds of a percentile histogram as Micrometer has them: 1, 2, 3, and then steps of a third of each power of four.
 * Whole numbers: nanoseconds for what takes time.
 */
export const percentileBounds: readonly bigint[] = [...generate()]

function* generate(): Generator<bigint> {
  yield* [1n, 2n, 3n]
  for (let exponent = finest; exponent < 62n; exponent += finest) {
    const start = 1n << exponent
    const step = start / 3n
    for (let bound = start; bound < start * 4n - step; bound += step) yield bound
  }
}

/**
 * The bounds from `minimum` to `maximum`, these two among them.
 *
 * `units` is how many of the bounds' whole numbers one unit of the result holds: 1e9 for seconds.
 */
export function percentileBoundsBetween(minimum: number, maximum: number, units: number): number[] {
  const between = percentileBounds
    .map((bound) => Number(bound) / units)
    .filter((bound) => bound > minimum && bound < maximum)
  return [minimum, ...between, maximum].filter(Number.isFinite)
}
