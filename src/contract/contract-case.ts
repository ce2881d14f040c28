import type { Level } from './level.ts'
import { areaOf, levelOf, type Need, type Rule } from './rule.ts'
import type { Service } from './service.ts'
import { noRelay, noState, skip, skipReason } from './skip.ts'
import { type OnSkip, tellRunner } from './tell-runner.ts'
import { type Violation, violationOf } from './violation.ts'

/** How a case went. */
export type Outcome =
  | { readonly kind: 'held' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'broken'; readonly violation: Violation }

/** One rule of the interface, as a test. */
export interface ContractCase {
  /** Such as `health.drill-down.unknown-404`; it never changes. */
  readonly id: string
  /** The first part of the id. */
  readonly area: string
  readonly level: Level
  /** The rule in one sentence. */
  readonly rule: string
  /** Where the rule comes from. */
  readonly section: string
  /** Id and rule. */
  readonly title: string
  /**
   * The body of a test: rejects where the rule does not hold. Where it cannot be looked at, vitest, node:test and Mocha are
   * told to skip the test; Jest has no way to be told, so there the test passes, and `onSkip` is told.
   */
  readonly run: (this: unknown, ...context: never[]) => Promise<void>
  /** The same without a test runner. Never rejects for what the service does. */
  readonly check: () => Promise<Outcome>
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
    // Test runners take a function with a parameter for one that calls back.
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
      if (!(await service.has(need))) skip('there is no page of links at the base path')
      return
    case 'authorization':
      if (authorization === undefined)
        skip('without credentials: pass the option token or authorization (--token, --user)')
      return
    case 'hook':
      if (hook === undefined) skip('without a webhook: pass its path as the option hook (--hook)')
      return
    case 'route':
      if (route === undefined) skip('without a route of the application: pass its path as the option route (--route)')
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

/** What a test report shows begins with the rule. */
function named(error: unknown, { says, section }: Rule): unknown {
  if (violationOf(error) !== undefined && error instanceof Error) {
    error.message = `${says} (${section})\n${error.message}`
  }
  return error
}
