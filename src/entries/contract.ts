export type { ConformanceAbility, UnsupportedAbilities } from '../contract/ability.ts'
export {
  type AdapterConformanceOptions,
  adapterConformance,
  type ConformanceCase,
} from '../contract/adapter-kit/adapter-conformance.ts'
export type {
  ConformanceApplication,
  ConformanceManagementOptions,
  StartedApplication,
} from '../contract/adapter-kit/application.ts'
export type { ConformanceRoute, RouteAnswer } from '../contract/adapter-kit/routes.ts'
export { contract, contractAreas } from '../contract/contract.ts'
export type { CaseOutcome, ContractCase } from '../contract/contract-case.ts'
export type { RequirementLevel } from '../contract/level.ts'
export type { ContractOptions, DetailsFor, StateHook, StateName } from '../contract/options.ts'
export type { ProfileName } from '../contract/profile.ts'
export type { OnSkip } from '../contract/tell-runner.ts'
export type { Violation } from '../contract/violation.ts'
