import type { ContractCase } from 'upkeep/contract'

export declare function caseTable(cases: readonly ContractCase[], shared: readonly ContractCase[]): string
