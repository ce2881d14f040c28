import { describeValue } from './describe-value.ts'
import { optionOutOfRange } from './errors.ts'

/** A duration: a number and a unit, such as `'500ms'`, `'5s'`, `'1.5m'`, `'1h'` or `'1d'`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const millisecondsOf: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns a duration in milliseconds, or `undefined` if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (millisecondsOf[unit] ?? Number.NaN)
}

/**
 * Returns the duration of an option in milliseconds.
 *
 * @throws RangeError if it is not a duration; the message contains `option`.
 */
export function durationMilliseconds(text: Duration, option: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) {
    throw optionOutOfRange(`${option}: expected a duration such as "5s", received ${describeValue(text)}`)
  }
  return milliseconds
}
