/** A length of time as text: a number and a unit, such as `'500ms'`, `'5s'`, `'1.5m'`, `'1h'` or `'1d'`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const millisecondsOf: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The milliseconds of a duration text, or `undefined` when it is none. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (millisecondsOf[unit] ?? Number.NaN)
}

/**
 * The milliseconds of a duration that a programmer wrote.
 *
 * @throws RangeError naming `option` when the text is no duration.
 */
export function durationMilliseconds(text: Duration, option: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) {
    throw new RangeError(`${option} must be a duration such as '500ms', '5s' or '1m', not ${JSON.stringify(text)}`)
  }
  return milliseconds
}
