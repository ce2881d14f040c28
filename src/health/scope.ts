import type { Component } from './component.ts'
import { type ComponentReporter, createReporter, createWholeReporter, type Reporter } from './health-report.ts'
import { defaultOrder, type Status } from './status.ts'
import type { Audience, View } from './visibility.ts'

/** How statuses are aggregated, and who may see components and details. */
export interface HealthScopeOptions {
  /**
   * Statuses by severity: the first one that a component has is that of the whole. @default ['DOWN', 'OUT_OF_SERVICE',
   * 'UP', 'UNKNOWN']
   */
  readonly order?: readonly Status[] | undefined
  /** Who may see the details of components. @default 'never' */
  readonly showDetails?: Audience | undefined
  /** Who may see the components and their statuses. @default the same as showDetails */
  readonly showComponents?: Audience | undefined
}

/** Components that are reported together: all of the application, or those of a group. */
export interface Scope {
  readonly components: ReadonlyMap<string, Component>
  readonly order: readonly Status[]
  /** Reports all components. */
  readonly report: Reporter
  /** Reports one component, or a part of one. */
  readonly reportOf: (component: Component) => ComponentReporter
  /** Returns what a caller may see; `identified` if the caller is authenticated and has one of the roles. */
  readonly view: (identified: boolean) => View
  /** Whether the view depends on the caller. */
  readonly isViewPersonal: boolean
}

export function createScope(
  components: ReadonlyMap<string, Component>,
  { order = defaultOrder, showDetails = 'never', showComponents = showDetails }: HealthScopeOptions,
): Scope {
  const viewOf = (identified: boolean): View => ({
    components: isShown(showComponents, identified),
    details: isShown(showDetails, identified),
  })
  const [identifiedView, anonymousView] = [viewOf(true), viewOf(false)]
  const isViewPersonal = [showDetails, showComponents].includes('when-authorized')
  const reporters = new WeakMap<Component, ComponentReporter>()
  const reportOf = (component: Component): ComponentReporter => {
    const reporter = reporters.get(component) ?? createReporter(component, order)
    reporters.set(component, reporter)
    return reporter
  }
  return {
    components,
    order,
    report: createWholeReporter(components, order),
    reportOf,
    view: (identified) => (identified ? identifiedView : anonymousView),
    isViewPersonal,
  }
}

function isShown(audience: Audience, identified: boolean): boolean {
  return audience === 'always' || (audience === 'when-authorized' && identified)
}
