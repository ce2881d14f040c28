import type { Clock } from '../clock.ts'
import { createCheckedHealth } from './checked-health.ts'
import type { Health, Indicator, Indicators, StateIndicator } from './indicator.ts'
import { downBecause, toHealth } from './to-health.ts'

/** A node of the tree of components: one that answers for itself, or one that is made of others. */
export type Component = Leaf | Composite

export interface Leaf {
  readonly kind: 'leaf'
  /** The health now. Never throws, never rejects. */
  readonly health: () => Health | Promise<Health>
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
export function createComponents(indicators: Indicators, clock: Clock, prefix = ''): ReadonlyMap<string, Component> {
  const entries = Object.entries(indicators).map(([name, indicator]) => {
    if (name === '' || name.includes('/')) {
      throw new RangeError(`A health component must have a name without a slash, not ${JSON.stringify(name)}`)
    }
    return [name, createComponent(indicator, clock, prefix + name)] as const
  })
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function createComponent(indicator: Indicator, clock: Clock, path: string): Component {
  if (typeof indicator === 'function') {
    return { kind: 'leaf', health: createCheckedHealth({ check: indicator }, clock, path) }
  }
  if (typeof indicator === 'object' && indicator !== null) {
    if ('indicators' in indicator && typeof indicator.indicators === 'object' && indicator.indicators !== null) {
      return { kind: 'composite', components: createComponents(indicator.indicators, clock, `${path}/`) }
    }
    if ('state' in indicator && typeof indicator.state === 'function') {
      return { kind: 'leaf', health: () => readState(indicator) }
    }
    if ('check' in indicator && typeof indicator.check === 'function') {
      return { kind: 'leaf', health: createCheckedHealth(indicator, clock, path) }
    }
  }
  throw new TypeError(
    `The health indicator ${JSON.stringify(path)} must be a function, { check }, { state } or { indicators }`,
  )
}

function readState({ state }: StateIndicator): Health {
  try {
    return toHealth(state())
  } catch (error) {
    return downBecause(error)
  }
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
