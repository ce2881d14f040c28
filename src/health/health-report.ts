import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import type { Component } from './component.ts'
import { aggregateStatus, type Status } from './status.ts'

/** The health of a component, of a group or of the application, before visibility is applied. */
export interface HealthReport {
  readonly status: Status
  readonly description?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly components?: Readonly<Record<string, HealthReport>> | undefined
}

/**
 * Returns the health at a monotonic time: synchronously if no check has to run, and the same object while nothing has
 * changed. Never throws, never rejects.
 */
export type Reporter = (now: number) => MaybePromise<HealthReport>

/** Like {@link Reporter}; returns `undefined` while the component does not exist. */
export type ComponentReporter = (now: number) => MaybePromise<HealthReport | undefined>

export function createReporter(component: Component, order: readonly Status[]): ComponentReporter {
  if (component.kind === 'composite') return createWholeReporter(component.components, order)
  const { check, isPresent } = component
  return isPresent === undefined ? check : (now) => (isPresent() ? check(now) : undefined)
}

/** Checks all components concurrently, and aggregates their statuses by `order`. */
export function createWholeReporter(components: ReadonlyMap<string, Component>, order: readonly Status[]): Reporter {
  const names = [...components.keys()]
  const reporters = [...components.values()].map((component) => createReporter(component, order))
  let parts: readonly (HealthReport | undefined)[] = reporters.map(() => undefined)
  let whole = join([])

  function join(reports: readonly (HealthReport | undefined)[]): HealthReport {
    const named = reports.flatMap((report, at) => (report === undefined ? [] : [[names[at] ?? '', report] as const]))
    const statuses = named.map(([, { status }]) => status)
    return { status: aggregateStatus(statuses, order), components: Object.fromEntries(named) }
  }

  function remember(reports: readonly (HealthReport | undefined)[]): HealthReport {
    if (reports.some((report, at) => report !== parts[at])) {
      parts = reports
      whole = join(reports)
    }
    return whole
  }

  return (now) => {
    // Usually nothing has changed since the last probe: then no object is created.
    let changed: MaybePromise<HealthReport | undefined>[] | undefined
    for (let at = 0; at < reporters.length; at++) {
      const report = (reporters[at] as ComponentReporter)(now)
      if (changed === undefined && report !== parts[at]) changed = parts.slice(0, at)
      changed?.push(report)
    }
    return changed === undefined ? whole : thenNow(whenAll(changed), remember)
  }
}

/** Returns all reports: synchronously if none is a promise. */
function whenAll<T>(reports: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return reports.some((report) => report instanceof Promise)
    ? Promise.all(reports)
    : // Safe: none is a promise.
      (reports as readonly T[])
}

/**
 * Returns the latest status without running a check; `undefined` if a check of the component has not completed yet, or
 * the component does not exist.
 */
export function knownStatus(component: Component, order: readonly Status[], now: number): Status | undefined {
  if (component.kind === 'composite') return knownStatusOfWhole(component.components, order, now)
  return isAbsent(component) ? undefined : component.latest(now)?.status
}

function isAbsent(component: Component): boolean {
  return component.kind === 'leaf' && component.isPresent?.() === false
}

export function knownStatusOfWhole(
  components: ReadonlyMap<string, Component>,
  order: readonly Status[],
  now: number,
): Status | undefined {
  const statuses: Status[] = []
  for (const component of components.values()) {
    if (isAbsent(component)) continue
    const status = knownStatus(component, order, now)
    if (status === undefined) return undefined
    statuses.push(status)
  }
  return aggregateStatus(statuses, order)
}
