/** Bounds of classic buckets; the same array for all series with the same bounds. */
export type Bounds = readonly number[]

/** The bounds of a series without buckets. */
export const noBounds: Bounds = []

/** Finds the one array of equal bounds, so that bounds are compared once per definition. */
export class KnownBounds {
  readonly #all: Bounds[] = [noBounds]

  of(bounds: Bounds = noBounds): Bounds {
    for (const known of this.#all) if (known === bounds || areEqual(known, bounds)) return known
    this.#all.push(bounds)
    return bounds
  }
}

function areEqual(one: Bounds, other: Bounds): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}

/** Returns the bounds that all have. */
export function commonBounds([first = noBounds, ...others]: readonly Bounds[]): Bounds {
  if (others.length === 0) return first
  const sets = others.map((bounds) => new Set(bounds))
  const common = first.filter((bound) => sets.every((set) => set.has(bound)))
  return common.length === first.length ? first : common
}

/**
 * Returns the bucket among `merged` for each bucket of `own` and for the greater values: that of its upper bound, so
 * that a merged bucket never counts a value that is greater than its bound.
 */
export function bucketMapping(own: Bounds, merged: Bounds): readonly number[] {
  let at = 0
  const mapping = own.map((bound) => {
    while (at < merged.length && (merged[at] as number) < bound) at += 1
    return at
  })
  return [...mapping, merged.length]
}
