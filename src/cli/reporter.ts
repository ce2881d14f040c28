import type { CaseOutcome, ContractCase } from '../entries/contract.ts'

/** A case with its outcome. */
export interface CaseResult {
  readonly one: ContractCase
  readonly outcome: CaseOutcome
  readonly milliseconds: number
}

/** Reports a run; each function returns text to write. */
export interface Reporter {
  readonly begin: (url: string, cases: readonly ContractCase[]) => string
  readonly report: (told: CaseResult, number: number) => string
  readonly end: (all: readonly CaseResult[]) => string
}

export function countOf(all: readonly CaseResult[], kind: CaseOutcome['kind']): number {
  return all.filter(({ outcome }) => outcome.kind === kind).length
}
