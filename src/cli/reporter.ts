import type { ContractCase, Outcome } from '../entries/contract.ts'

/** One case, and how it went. */
export interface Told {
  readonly one: ContractCase
  readonly outcome: Outcome
  readonly milliseconds: number
}

/** Tells how a contract went; each function answers text to be written. */
export interface Reporter {
  readonly begin: (url: string, cases: readonly ContractCase[]) => string
  readonly tell: (told: Told, number: number) => string
  readonly end: (all: readonly Told[]) => string
}

export function countOf(all: readonly Told[], kind: Outcome['kind']): number {
  return all.filter(({ outcome }) => outcome.kind === kind).length
}
