export type { ConformanceAbility, UnsupportedAbilities } from '../contract/ability.ts'
export {
  type AdapterConformanceOptions,
  adapterConformance,
  type ConformanceCase,
} from '../contract/adapter-kit/adapter-conformance.ts'
export type {
  ConformanceApplication,
  ConformanceManagementOptions,
  ConformanceRoute,
  RouteAnswer,
  StartedApplication,
} from '../contract/adapter-kit/application.ts'
export type { Violation } from '../contract/check-result.ts'
export { contract, contractAreas } from '../contract/contract.ts'
export type { CaseOutcome, ContractCase } from '../contract/contract-case.ts'
export type { ContractOptions, DetailsFor, RequirementLevel, StateHook, StateName } from '../contract/options.ts'
export type { ProfileName } from '../contract/profile.ts'
export type { OnSkip } from '../contract/tell-runner.ts'
