import type { Clock } from '../clock.ts'
import type { Report } from '../report.ts'
import type { Component } from './component.ts'
import { knownStatus, knownStatusOfWhole } from './report.ts'
import type { Scope } from './scope.ts'
import { type Status, statusKey } from './status.ts'

/** What is otherwise than before: a component, by its path such as `db/primary`; a group; or health as a whole. */
export type HealthChange =
  | { readonly kind: 'component'; readonly component: string; readonly from: Status; readonly to: Status }
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
  readonly describe: (from: Status, to: Status) => HealthChange
  readonly status: (now: number) => Status | undefined
  told: Status
}

/**
 * The changes of components, of groups and of the whole. What was never asked, or has a part that was not, is `UNKNOWN`.
 * Costs nothing while nobody listens.
 */
export function createChanges(
  whole: Scope,
  groups: ReadonlyMap<string, Scope>,
  { clock, report }: { readonly clock: Clock; readonly report: Report },
): Changes {
  const subjects = [
    ...subjectsOf(whole.components, whole.order),
    ...[...groups].map(([group, scope]) =>
      subject(statusOf(scope), (from, to) => ({ kind: 'group', group, from, to })),
    ),
    subject(statusOf(whole), (from, to) => ({ kind: 'whole', from, to })),
  ]
  const listeners = new Set<{ readonly listener: HealthListener }>()
  const untold: HealthChange[] = []
  let isTelling = false

  function look(): void {
    if (listeners.size === 0) return
    const now = clock.monotonicTime()
    for (const each of subjects) {
      const [from, to] = [each.told, each.status(now) ?? 'UNKNOWN']
      each.told = to
      if (statusKey(from) !== statusKey(to)) untold.push(each.describe(from, to))
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
    const fail = (error: unknown): void => report('a listener to changes of health failed', error)
    try {
      const told: unknown = listener(change)
      Promise.resolve(told).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  return {
    onChange(listener) {
      if (listeners.size === 0) {
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
    return [...parts, subject(status, (from, to) => ({ kind: 'component', component: path, from, to }))]
  })
}

function subject(status: Subject['status'], describe: Subject['describe']): Subject {
  return { describe, status, told: 'UNKNOWN' }
}

function statusOf({ components, order }: Scope): Subject['status'] {
  return (now) => knownStatusOfWhole(components, order, now)
}
