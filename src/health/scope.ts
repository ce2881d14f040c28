import type { Component } from './component.ts'
import { createReporter, createWholeReporter, type Reporter } from './report.ts'
import { defaultOrder, type Status } from './status.ts'
import type { Audience, View } from './visibility.ts'

/** How what is asked as one is judged and to whom it is shown. */
export interface ScopeOptions {
  /** Which status of several wins: the first. @default ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN'] */
  readonly order?: readonly Status[] | undefined
  /** Who sees what the components found out. @default 'never' */
  readonly showDetails?: Audience | undefined
  /** Who sees which components there are. @default the same as showDetails */
  readonly showComponents?: Audience | undefined
}

/** Components that are asked as one: all of them, or a group's. */
export interface Scope {
  readonly components: ReadonlyMap<string, Component>
  readonly order: readonly Status[]
  /** Asks all of them. */
  readonly report: Reporter
  /** Asks one of them, or a part of one. */
  readonly reportOf: (component: Component) => Reporter
  /** What a caller may see, by whether it is known who that is. */
  readonly view: (identified: boolean) => View
  /** Whether it makes a difference to the view. */
  readonly isViewPersonal: boolean
}

export function createScope(
  components: ReadonlyMap<string, Component>,
  { order = defaultOrder, showDetails = 'never', showComponents = showDetails }: ScopeOptions,
): Scope {
  const viewOf = (identified: boolean): View => ({
    components: isShown(showComponents, identified),
    details: isShown(showDetails, identified),
  })
  const [known, stranger] = [viewOf(true), viewOf(false)]
  const isViewPersonal = [showDetails, showComponents].includes('when-authorized')
  const reporters = new WeakMap<Component, Reporter>()
  const reportOf = (component: Component): Reporter => {
    const reporter = reporters.get(component) ?? createReporter(component, order)
    reporters.set(component, reporter)
    return reporter
  }
  return {
    components,
    order,
    report: createWholeReporter(components, order),
    reportOf,
    view: (identified) => (identified ? known : stranger),
    isViewPersonal,
  }
}

function isShown(audience: Audience, identified: boolean): boolean {
  return audience === 'always' || (audience === 'when-authorized' && identified)
}
