import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import type { Component } from './component.ts'
import { aggregateStatus, type Status } from './status.ts'

/** What there is to say of a component, with everything that an authorized caller may see. */
export interface HealthReport {
  readonly status: Status
  readonly description?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly components?: Readonly<Record<string, HealthReport>> | undefined
}

/**
 * Asks how something is, at a monotonic time. At once where all of it is known, and the same object for as long as all of
 * it is the same. Never throws, never rejects.
 */
export type Reporter = (now: number) => MaybePromise<HealthReport>

export function createReporter(component: Component, order: readonly Status[]): Reporter {
  return component.kind === 'leaf' ? component.health : createWholeReporter(component.components, order)
}

/** Asks all the components of a whole at once; the whole is what the first in order of their statuses says. */
export function createWholeReporter(components: ReadonlyMap<string, Component>, order: readonly Status[]): Reporter {
  const names = [...components.keys()]
  const reporters = [...components.values()].map((component) => createReporter(component, order))
  let parts: readonly HealthReport[] = []
  let whole = join([])

  function join(reports: readonly HealthReport[]): HealthReport {
    const named = reports.map((report, at) => [names[at], report] as const)
    const statuses = reports.map(({ status }) => status)
    return { status: aggregateStatus(statuses, order), components: Object.fromEntries(named) }
  }

  function remember(reports: readonly HealthReport[]): HealthReport {
    if (reports.some((report, at) => report !== parts[at])) {
      parts = reports
      whole = join(reports)
    }
    return whole
  }

  return (now) => {
    // Mostly nothing has changed since the last probe: then nothing is made anew.
    let changed: MaybePromise<HealthReport>[] | undefined
    for (let at = 0; at < reporters.length; at++) {
      const report = (reporters[at] as Reporter)(now)
      if (changed === undefined && report !== parts[at]) changed = parts.slice(0, at)
      changed?.push(report)
    }
    return changed === undefined ? whole : thenNow(gather(changed), remember)
  }
}

/** All of them: at once where none has to be waited for. */
function gather(reports: readonly MaybePromise<HealthReport>[]): MaybePromise<readonly HealthReport[]> {
  return reports.some((report) => report instanceof Promise)
    ? Promise.all(reports)
    : // None is a promise, as was just seen.
      (reports as readonly HealthReport[])
}

/** The status of a component as far as it is known without asking; `undefined` where a part of it was never asked. */
export function knownStatus(component: Component, order: readonly Status[], now: number): Status | undefined {
  return component.kind === 'leaf' ? component.known(now)?.status : knownStatusOfWhole(component.components, order, now)
}

export function knownStatusOfWhole(
  components: ReadonlyMap<string, Component>,
  order: readonly Status[],
  now: number,
): Status | undefined {
  const statuses: Status[] = []
  for (const component of components.values()) {
    const status = knownStatus(component, order, now)
    if (status === undefined) return undefined
    statuses.push(status)
  }
  return aggregateStatus(statuses, order)
}
