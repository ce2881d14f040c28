/** A sum of amounts that is the same in any order: `low` is the rounding error of `high`. */
export interface ExactSum {
  high: number
  low: number
}

/** Adds a finite amount of 0 or more: two-sum (Knuth), then a renormalization. As `addAmounts` does it for cells. */
export function addExactly(sum: ExactSum, amount: number): void {
  const before = sum.high
  const rough = before + amount
  const part = rough - before
  const error = before - (rough - part) + (amount - part) + sum.low
  sum.high = rough + error
  sum.low = error - (sum.high - rough)
}

/** Returns a sum as one or two amounts of 0 or more. */
export function amountsOf({ high, low }: ExactSum): readonly [number, number] {
  if (low >= 0) return [high, low]
  // The next smaller double, so that what remains is positive.
  const below = high - high * 2 ** -53
  return [below, high - below + low]
}
