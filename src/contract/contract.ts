import { type ContractCase, createCase } from './contract-case.ts'
import { counts, isLevel } from './level.ts'
import { type ContractOptions, settingsOf } from './options.ts'
import { areaOf, levelOf, type Rule } from './rule.ts'
import { allRules } from './rules/all-rules.ts'
import { createService } from './service.ts'
import { sayOnConsole } from './tell-runner.ts'

/**
 * Returns the contract of a service's HTTP interface as test cases. Sends no request before the first case runs.
 *
 * @throws TypeError or RangeError naming the invalid option.
 */
export function contract(options: ContractOptions): readonly ContractCase[] {
  const settings = settingsOf(options)
  const { only, level = 'MAY', endpoints, profile, onSkip = sayOnConsole } = options
  if (!isLevel(level)) throw new TypeError(`level: expected 'MUST', 'SHOULD' or 'MAY', received '${level}'`)
  const rules = allRules(endpoints)
  checkSelection(only ?? [], rules)
  const service = createService(settings)
  return rules
    .filter((rule) => profile !== 'spring' || rule.shared === true)
    .filter((rule) => counts(levelOf(rule), level))
    .filter((rule) => only === undefined || only.some((name) => isMeant(rule, name)))
    .map((rule) => createCase(rule, service, onSkip))
}

/** The areas that there are cases for. */
export const contractAreas: readonly string[] = [...new Set(allRules().map(areaOf))]

function isMeant({ id }: Rule, name: string): boolean {
  return id === name || id.startsWith(`${name}.`)
}

function checkSelection(only: readonly string[], rules: readonly Rule[]): void {
  const strange = only.filter((name) => !rules.some((rule) => isMeant(rule, name)))
  if (strange.length > 0) {
    const received = strange.map((name) => `'${name}'`).join(', ')
    throw new RangeError(`only: expected ids of cases or areas (${contractAreas.join(', ')}), received ${received}`)
  }
}
