import type { SeriesHome } from './series/series.ts'

/** What all series of a name have in common. */
export type MeterNaming = Pick<SeriesHome, 'name' | 'description' | 'baseUnit'>

/**
 * Refuses what could not be written in a scrape: there it would be found too late, and cost the whole page.
 *
 * @throws TypeError when the name is not a text that says something, or the description or unit is no text.
 */
export function checkNaming({ name, description, baseUnit }: MeterNaming): void {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(`The name of a meter must be a text that is not empty, not ${describe(name)}`)
  }
  for (const [option, value] of Object.entries({ description, baseUnit })) {
    if (value === undefined || typeof value === 'string') continue
    throw new TypeError(`The ${option} of the meter '${name}' must be a text, not ${describe(value)}`)
  }
}

function describe(value: unknown): string {
  if (value === '') return "''"
  if (value === undefined || value === null) return `${value}`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
