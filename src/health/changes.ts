import { notify } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { Component } from './component.ts'
import { knownStatus, knownStatusOfWhole } from './report.ts'
import type { Scope } from './scope.ts'
import { type Status, statusKey } from './status.ts'

/** What is otherwise than before: a component, by its path such as `db/primary`; a group; or health as a whole. */
export type HealthChange =
  | {
      readonly kind: 'component'
      readonly component: string
      readonly from: Status
      readonly to: Status
      /** The `error` of the details that the component has now, where it has one. */
      readonly reason?: string
    }
  | { readonly kind: 'group'; readonly group: string; readonly from: Status; readonly to: Status }
  | { readonly kind: 'whole'; readonly from: Status; readonly to: Status }

export type HealthListener = (change: HealthChange) => void

/** Tells listeners how health changes. */
export interface Changes {
  /** Tells of each change from now on, until the function that it answers is called. */
  readonly onChange: (listener: HealthListener) => () => void
  /** Finds out what changed, and tells of it; asks no check. */
  readonly look: () => void
}

interface Subject {
  readonly describe: (from: Status, to: Status, now: number) => HealthChange
  readonly status: (now: number) => Status | undefined
  told: Status
}

export interface ChangesSurroundings {
  readonly clock: Clock
  readonly report: Report
  /** Listens from the start, when everything is `UNKNOWN`: nothing is read before something has changed. */
  readonly listener?: HealthListener | undefined
}

/**
 * The changes of components, of groups and of the whole. What was never asked, or has a part that was not, is `UNKNOWN`.
 * Costs nothing while nobody listens.
 */
export function createChanges(
  whole: Scope,
  groups: ReadonlyMap<string, Scope>,
  { clock, report, listener: first }: ChangesSurroundings,
): Changes {
  const subjects = [
    ...subjectsOf(whole.components, whole.order),
    ...[...groups].map(([group, scope]) =>
      subject(statusOf(scope), (from, to) => ({ kind: 'group', group, from, to })),
    ),
    subject(statusOf(whole), (from, to) => ({ kind: 'whole', from, to })),
  ]
  const listeners = new Set<{ readonly listener: HealthListener }>(first === undefined ? [] : [{ listener: first }])
  const untold: HealthChange[] = []
  let isTelling = false

  function look(): void {
    if (listeners.size === 0) return
    const now = clock.monotonicTime()
    for (const each of subjects) {
      const [from, to] = [each.told, each.status(now) ?? 'UNKNOWN']
      each.told = to
      if (statusKey(from) !== statusKey(to)) untold.push(each.describe(from, to, now))
    }
    tell()
  }

  /** In the order of the changes for every listener, also where one of them brings about the next. */
  function tell(): void {
    if (isTelling) return
    isTelling = true
    for (let change = untold.shift(); change !== undefined; change = untold.shift()) {
      for (const { listener } of [...listeners]) tellOne(listener, change)
    }
    isTelling = false
  }

  function tellOne(listener: HealthListener, change: HealthChange): void {
    notify(listener, [change], (error) => report('a listener to changes of health failed', error))
  }

  return {
    onChange(listener) {
      // What has changed before is not told to the new one.
      if (listeners.size > 0) look()
      else {
        const now = clock.monotonicTime()
        for (const each of subjects) each.told = each.status(now) ?? 'UNKNOWN'
      }
      const entry = { listener }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    look,
  }
}

/** Parts before the whole that they make. */
function subjectsOf(
  components: ReadonlyMap<string, Component>,
  order: readonly Status[],
  prefix = '',
): readonly Subject[] {
  return [...components].flatMap(([name, component]) => {
    const path = prefix + name
    const parts = component.kind === 'leaf' ? [] : subjectsOf(component.components, order, `${path}/`)
    const status = (now: number): Status | undefined => knownStatus(component, order, now)
    const reasonOf = (now: number): unknown =>
      component.kind === 'leaf' ? component.known(now)?.details?.['error'] : undefined
    const describe: Subject['describe'] = (from, to, now) => {
      const reason = reasonOf(now)
      return { kind: 'component', component: path, from, to, ...(typeof reason === 'string' && { reason }) }
    }
    return [...parts, subject(status, describe)]
  })
}

function subject(status: Subject['status'], describe: Subject['describe']): Subject {
  return { describe, status, told: 'UNKNOWN' }
}

function statusOf({ components, order }: Scope): Subject['status'] {
  return (now) => knownStatusOfWhole(components, order, now)
}
