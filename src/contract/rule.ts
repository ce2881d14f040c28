import type { RequirementLevel, StateName } from './options.ts'
import type { Service } from './service.ts'

/** An endpoint, or an option, without which a rule cannot be checked. */
export type Need =
  | 'health'
  | 'info'
  | 'metrics'
  | 'prometheus'
  | 'links'
  | 'authorization'
  | 'hook'
  | 'route'
  | 'relay'
  | StateName

/** One rule of the contract, with its check. */
export interface Rule {
  /** Area, subject and case, such as `health.drill-down.unknown-404`. Stable: pipelines select by it. */
  readonly id: string
  /** The rule in one sentence with MUST, SHOULD or MAY. */
  readonly says: string
  /** Source of the rule. */
  readonly section: string
  readonly needs?: readonly Need[]
  /** The endpoint that it is about, without which it cannot be checked. */
  readonly endpoint?: string
  /** Whether a Spring Boot Actuator has it as well. */
  readonly shared?: boolean
  /** Resolves if the rule holds. */
  readonly check: (service: Service) => Promise<void>
}

/** Returns rules with what they have in common; each may have its own in place of it. */
export function rulesWith(
  common: Pick<Rule, 'needs' | 'endpoint' | 'shared'>,
  rules: readonly Rule[],
): readonly Rule[] {
  return rules.map((rule) => ({ ...common, ...rule }))
}

export function levelOf({ says }: Rule): RequirementLevel {
  return /\bMUST\b/.test(says) ? 'MUST' : /\bSHOULD\b/.test(says) ? 'SHOULD' : 'MAY'
}

export function areaOf({ id }: Pick<Rule, 'id'>): string {
  return id.slice(0, id.indexOf('.'))
}
