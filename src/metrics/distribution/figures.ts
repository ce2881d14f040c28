import { setCell } from '../meter.ts'

/**
 * The numbers of a timer or summary: the total, the maximum of the current rotation, a count per bucket (one for all
 * values without bounds), and the maxima of earlier rotations, latest first. One array of doubles takes the
 * least memory.
 */
export type Figures = [total: number, maximum: number, firstCount: number, ...rest: number[]]

/** The index of the first count. */
export const firstPlace = 2

/**
 * Returns zeros in an array that V8 stores as doubles: one that begins with integers is converted at its first
 * fraction.
 */
export function createFigures(buckets: number, rotations: number): Figures {
  const figures: Figures = [0.5, 0.5, 0.5]
  while (figures.length < firstPlace + buckets + rotations - 1) figures.push(0.5)
  figures.fill(0)
  return figures
}

export function copyFigures(figures: Figures): Figures {
  return figures.slice() as Figures
}

export function countsOf(figures: Figures, buckets: number): number[] {
  return figures.slice(firstPlace, firstPlace + buckets)
}

export function sumOfCounts(figures: Figures, buckets: number): number {
  let sum = 0
  for (let place = firstPlace; place < firstPlace + buckets; place++) sum += figures[place] as number
  return sum
}

/** Returns the maximum over all rotations. */
export function maximumOf(figures: Figures, buckets: number): number {
  let maximum = figures[1]
  for (let at = firstPlace + buckets; at < figures.length; at++) maximum = Math.max(maximum, figures[at] as number)
  return maximum
}

/**
 * Copies total, maximum, the sum of all counts and, if there are several, the counts. Returns whether any cell changed.
 */
export function copyToCells(figures: Figures, buckets: number, cells: Float64Array, place: number): boolean {
  const isSummed = setCell(cells, place, figures[0])
  const isMaximum = setCell(cells, place + 1, maximumOf(figures, buckets))
  const isCounted = setCell(cells, place + 2, sumOfCounts(figures, buckets))
  if (isCounted && buckets > 1) {
    for (let bucket = 0; bucket < buckets; bucket++) cells[place + 3 + bucket] = figures[firstPlace + bucket] as number
  }
  return isSummed || isMaximum || isCounted
}

/** Starts this many new rotations and drops the oldest. */
export function rotateMaxima(figures: Figures, buckets: number, times: number): void {
  const maxima = [figures[1], ...figures.slice(firstPlace + buckets)]
  for (let rotation = 1; rotation < maxima.length; rotation++) {
    figures[firstPlace + buckets + rotation - 1] = maxima[rotation - times] ?? 0
  }
  figures[1] = 0
}
