const finest = 2n

/**
 * The bounds of a percentile histogram, as in Micrometer: 1, 2, 3, then steps of a third of each power of four.
 * Integers: nanoseconds for durations.
 */
export const percentileBounds: readonly bigint[] = /* @__PURE__ */ Array.from(/* @__PURE__ */ generate())

function* generate(): Generator<bigint> {
  yield* [1n, 2n, 3n]
  for (let exponent = finest; exponent < 62n; exponent += finest) {
    const start = 1n << exponent
    const step = start / 3n
    for (let bound = start; bound < start * 4n - step; bound += step) yield bound
  }
}

/**
 * Returns the bounds from `minimum` to `maximum`, both included. `units` is the number of integer units per unit of the
 * result: 1e9 for seconds.
 */
export function percentileBoundsBetween(minimum: number, maximum: number, units: number): number[] {
  const between = percentileBounds
    .map((bound) => Number(bound) / units)
    .filter((bound) => bound > minimum && bound < maximum)
  return [minimum, ...between, maximum].filter(Number.isFinite)
}
