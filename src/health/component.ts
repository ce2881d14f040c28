import { createCheckedHealth } from './checks/checked-health.ts'
import type { Checkup } from './checks/checkup.ts'
import type { KnownHealth } from './checks/known-health.ts'
import { createStateHealth } from './checks/state-health.ts'
import type { Indicator, Indicators } from './indicator.ts'

/** A node of the tree of components: one that answers for itself, or one that is made of others. */
export type Component = Leaf | Composite

export interface Leaf extends KnownHealth {
  readonly kind: 'leaf'
}

export interface Composite {
  readonly kind: 'composite'
  readonly components: ReadonlyMap<string, Component>
}

/**
 * Makes the tree of components out of indicators, each level sorted by name.
 *
 * @throws TypeError, RangeError naming the indicator that is none.
 */
export function createComponents(
  indicators: Indicators,
  checkup: Checkup,
  prefix = '',
): ReadonlyMap<string, Component> {
  const entries = Object.entries(indicators).map(([name, indicator]) => {
    if (name === '' || name.includes('/')) {
      throw new RangeError(`A health component must have a name without a slash, not ${JSON.stringify(name)}`)
    }
    return [name, createComponent(indicator, checkup, prefix + name)] as const
  })
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function createComponent(indicator: Indicator, checkup: Checkup, path: string): Component {
  if (typeof indicator === 'function') {
    return { kind: 'leaf', ...createCheckedHealth({ check: indicator }, path, checkup) }
  }
  if (typeof indicator === 'object' && indicator !== null) {
    if ('indicators' in indicator && typeof indicator.indicators === 'object' && indicator.indicators !== null) {
      return { kind: 'composite', components: createComponents(indicator.indicators, checkup, `${path}/`) }
    }
    if ('state' in indicator && typeof indicator.state === 'function') {
      return { kind: 'leaf', ...createStateHealth(indicator, checkup) }
    }
    if ('check' in indicator && typeof indicator.check === 'function') {
      return { kind: 'leaf', ...createCheckedHealth(indicator, path, checkup) }
    }
  }
  throw new TypeError(
    `The health indicator ${JSON.stringify(path)} must be a function, { check }, { state } or { indicators }`,
  )
}

/** The component at a path of names, or `undefined` when there is none. */
export function findComponent(
  components: ReadonlyMap<string, Component>,
  [name = '', ...rest]: readonly string[],
): Component | undefined {
  const component = components.get(name)
  if (component === undefined || rest.length === 0) return component
  return component.kind === 'composite' ? findComponent(component.components, rest) : undefined
}
