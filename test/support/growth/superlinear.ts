import { textOf, type WorstCase, worstCases } from './worst-cases.ts'

/** Takes a text and does all the work that is to be measured. */
export type Work = (text: string) => unknown

const small = 1_000

const factor = 8

/** Linear work takes 8 times as long for 8 times the text, quadratic work 64 times. */
const maxRatio = 3 * factor

/**
 * Work of this duration at {@link small} is suspicious: a matcher takes microseconds for a pass over so few characters,
 * and milliseconds when it makes a pass for each of them. Below it no growth can be measured.
 */
const suspiciousMilliseconds = 0.2

/** Not even quadratic work takes this long at {@link small}. */
const certainMilliseconds = 100

/**
 * Returns the first text form, made of the samples, for which the duration of `work` grows faster than the text: more
 * than 24 times for 8 times the text, in each of several attempts. Returns `undefined` if there is none.
 */
export function findSuperlinear(work: Work, samples: readonly string[], maxPlaces?: number): WorstCase | undefined {
  for (const sample of samples) {
    for (const worst of worstCases(sample, maxPlaces)) {
      if (isSuperlinear(work, worst)) return worst
    }
  }
  return undefined
}

/** Whether the duration of `work` grows faster than a text of this form. */
export function isSuperlinear(work: Work, worst: WorstCase): boolean {
  return growsExponentially(work, worst) || growsSuperlinearly(work, worst)
}

/** Finds exponential growth at numbers of repetitions for which it still ends. */
function growsExponentially(work: Work, { before, repeated, after }: WorstCase): boolean {
  return [12, 16, 20, 24].some((count) => {
    const text = before + repeated.repeat(count) + after
    return duration(work, text) > 20 && best(work, text) > 20
  })
}

function growsSuperlinearly(work: Work, worst: WorstCase): boolean {
  const text = textOf(worst, small)
  const first = duration(work, text)
  if (first < suspiciousMilliseconds) return false
  // Cubic work would take minutes for the longer text.
  if (first > certainMilliseconds && best(work, text) > certainMilliseconds) return true
  const longer = textOf(worst, factor * small)
  if (duration(work, longer) / first < maxRatio / 2) return false
  for (let attempt = 0; attempt < 3; attempt++) {
    const base = best(work, text)
    if (base < suspiciousMilliseconds || best(work, longer) / base < maxRatio) return false
  }
  // What collects garbage in the longer text only looks alike: growth goes on.
  return best(work, textOf(worst, 2 * factor * small)) / best(work, longer) >= 3
}

function best(work: Work, text: string): number {
  return Math.min(duration(work, text), duration(work, text))
}

function duration(work: Work, text: string): number {
  const start = performance.now()
  work(text)
  return performance.now() - start
}
