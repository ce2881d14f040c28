import { noCredentials, noRelay, noState, skip, skipReason, type Violation, violationOf } from './check-result.ts'
import type { RequirementLevel } from './options.ts'
import { areaOf, levelOf, type Need, type Rule } from './rule.ts'
import type { Service } from './service.ts'
import { type OnSkip, tellRunner } from './tell-runner.ts'

/** The outcome of a case. */
export type CaseOutcome =
  | { readonly kind: 'held' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'broken'; readonly violation: Violation }

/** One rule of the contract, as a test. */
export interface ContractCase {
  /** Stable identifier such as `health.drill-down.unknown-404`. */
  readonly id: string
  /** First part of the id. */
  readonly area: string
  readonly level: RequirementLevel
  /** The rule, in one sentence. */
  readonly rule: string
  /** Source of the rule. */
  readonly section: string
  /** Id and rule. */
  readonly title: string
  /**
   * The body of a test: rejects if the rule is broken. If the rule cannot be checked, the test is skipped in vitest,
   * node:test and Mocha; in Jest, which cannot skip a running test, it passes and `onSkip` is called.
   */
  readonly run: (this: unknown, ...context: never[]) => Promise<void>
  /** Checks the rule without a test runner. Never rejects for a response of the service. */
  readonly check: () => Promise<CaseOutcome>
}

export function createCase(rule: Rule, service: Service, onSkip: OnSkip): ContractCase {
  const { id, says, section } = rule
  const attempt = async () => {
    if (rule.endpoint !== undefined) await requireEndpoint(rule.endpoint, service)
    for (const need of rule.needs ?? []) await requireNeed(need, service)
    await rule.check(service)
  }
  return {
    id,
    area: areaOf(rule),
    level: levelOf(rule),
    rule: says,
    section,
    title: `${id}: ${says}`,
    // Test runners treat a function with a parameter as callback-style.
    async run(...context: never[]) {
      try {
        await attempt()
      } catch (error) {
        const reason = skipReason(error)
        if (reason === undefined) throw named(error, rule)
        tellRunner(this, context[0], reason, () => onSkip(id, reason))
      }
    },
    async check() {
      try {
        await attempt()
        return { kind: 'held' }
      } catch (error) {
        const reason = skipReason(error)
        if (reason !== undefined) return { kind: 'skipped', reason }
        const violation = violationOf(error)
        if (violation === undefined) throw error
        return { kind: 'broken', violation }
      }
    },
  }
}

async function requireEndpoint(id: string, service: Service): Promise<void> {
  if (!(await service.has(id))) skip(`the endpoint ${id} is not exposed`)
}

async function requireNeed(need: Need, service: Service): Promise<void> {
  const { authorization, hook, route, relay, states = {} } = service.settings
  switch (need) {
    case 'health':
    case 'info':
    case 'metrics':
    case 'prometheus':
      return requireEndpoint(need, service)
    case 'links':
      if (!(await service.has(need))) skip('there is no index of links at the base path')
      return
    case 'authorization':
      if (authorization === undefined) skip(noCredentials)
      return
    case 'hook':
      if (hook === undefined) skip('no webhook: pass its path as the option hook (--hook)')
      return
    case 'route':
      if (route === undefined) skip('no route of the application: pass its path as the option route (--route)')
      return
    case 'relay':
      if (relay === undefined) skip(noRelay)
      return
    case 'notReady':
    case 'databaseDown':
    case 'notAlive':
      if (states[need] === undefined) skip(noState(need))
      return
  }
}

/** The message of a test failure starts with the rule. */
function named(error: unknown, { says, section }: Rule): unknown {
  if (violationOf(error) !== undefined && error instanceof Error) {
    error.message = `${says} (${section})\n${error.message}`
  }
  return error
}
