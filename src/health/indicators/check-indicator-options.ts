import { requireKnownOptions } from '../../base/known-options.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'

/**
 * Checks that the options of an indicator have no unknown ones.
 *
 * @throws TypeError that starts with the name of the indicator.
 */
export function checkIndicatorOptions<O extends object>(
  indicator: string,
  options: O,
  known: readonly Extract<keyof O, string>[],
  foreignNames: ForeignNames = {},
): void {
  const besideCheck = (option: string, example: string) =>
    `write it beside the check: { check: ${indicator}(…), ${option}: "${example}" }`
  requireKnownOptions(indicator, options, known, {
    foreignNames: {
      timeout: besideCheck('timeout', '5s'),
      cache: besideCheck('cache', '1s'),
      ttl: besideCheck('cache', '1s'),
      refresh: besideCheck('refresh', '10s'),
      interval: besideCheck('refresh', '10s'),
      ...foreignNames,
    },
  })
}
