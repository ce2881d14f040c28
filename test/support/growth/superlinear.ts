import { textOf, type WorstCase, worstCases } from './worst-cases.ts'

/** Takes a text and does all the work that is to be measured. */
export type Work = (text: string) => unknown

const small = 2_000

const factor = 4

/** Linear work takes 4 times as long for 4 times the text, quadratic work 16 times. */
const maxRatio = 3 * factor

/**
 * Work of this duration at {@link small} is suspicious: a matcher takes microseconds for a pass over so few characters, and
 * milliseconds when it makes a pass for each of them. Below it no growth can be measured.
 */
const suspiciousMilliseconds = 0.4

/**
 * Returns the first text form, made of the samples, for which the duration of `work` grows faster than the text: more than
 * 12 times for 4 times the text, in each of several attempts. Returns `undefined` if there is none.
 */
export function findSuperlinear(work: Work, samples: readonly string[]): WorstCase | undefined {
  for (const sample of samples) {
    for (const worst of worstCases(sample)) {
      if (isSuperlinear(work, worst)) return worst
    }
  }
  return undefined
}

/** Whether the duration of `work` grows faster than a text of this form. */
export function isSuperlinear(work: Work, worst: WorstCase): boolean {
  return growsExponentially(work, worst) || growsSuperlinearly(work, worst)
}

/** Finds exponential growth at sizes for which it still ends. */
function growsExponentially(work: Work, worst: WorstCase): boolean {
  return [16, 20, 24].some((size) => duration(work, textOf(worst, size)) > 20 && best(work, textOf(worst, size)) > 20)
}

function growsSuperlinearly(work: Work, worst: WorstCase): boolean {
  const text = textOf(worst, small)
  if (duration(work, text) < suspiciousMilliseconds) return false
  const longer = textOf(worst, factor * small)
  for (let attempt = 0; attempt < 5; attempt++) {
    const base = best(work, text)
    if (base < suspiciousMilliseconds || best(work, longer) / base < maxRatio) return false
  }
  return true
}

function best(work: Work, text: string): number {
  return Math.min(duration(work, text), duration(work, text), duration(work, text))
}

function duration(work: Work, text: string): number {
  const start = performance.now()
  work(text)
  return performance.now() - start
}
