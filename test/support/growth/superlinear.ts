import { cpuTime } from './cpu-time.ts'
import { textOf, type WorstCase, worstCases } from './worst-cases.ts'

/** Takes a text and does all the work that is to be measured. */
export type Work = (text: string) => unknown

const small = 1_000

const factor = 8

/** Linear work takes 8 times the CPU time for 8 times the text, quadratic work 64 times. */
const maxRatio = 3 * factor

/**
 * Work of this CPU time at {@link small} is suspicious: a matcher takes microseconds for a pass over so few characters,
 * and milliseconds when it makes a pass for each of them. Below it no growth can be measured.
 */
const suspiciousMilliseconds = 0.2

/** Not even quadratic work takes this long at {@link small}. */
const certainMilliseconds = 100

/**
 * Returns the first text form, made of the samples, for which the CPU time of `work` grows faster than the text: more
 * than 24 times for 8 times the text, and more than 3 times for twice that. Returns `undefined` if there is none.
 */
export function findSuperlinear(work: Work, samples: readonly string[], maxPlaces?: number): WorstCase | undefined {
  for (const sample of samples) {
    for (const worst of worstCases(sample, maxPlaces)) {
      if (isSuperlinear(work, worst)) return worst
    }
  }
  return undefined
}

/** Whether the CPU time of `work` grows faster than a text of this form. */
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
  const [base, grown] = [best(work, text), best(work, longer)]
  if (base < suspiciousMilliseconds || grown / base < maxRatio) return false
  // What collects garbage in the longer text only looks alike: growth goes on.
  return best(work, textOf(worst, 2 * factor * small)) / grown >= 3
}

/** What else the process does, such as collecting garbage, adds to the CPU time of a run and is in no run the same. */
function best(work: Work, text: string): number {
  return Math.min(duration(work, text), duration(work, text), duration(work, text))
}

function duration(work: Work, text: string): number {
  return cpuTime(() => work(text))
}
