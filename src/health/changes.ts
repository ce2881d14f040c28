import { notify } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { Component } from './component.ts'
import { knownStatus, knownStatusOfWhole } from './health-report.ts'
import type { Scope } from './scope.ts'
import { type Status, statusKey } from './status.ts'

/** A change of status: of a component, by its path such as `db/primary`; of a group; or of health as a whole. */
export type HealthChange =
  | {
      readonly kind: 'component'
      readonly component: string
      readonly from: Status
      readonly to: Status
      /** `details.error` of the component's health, if present. */
      readonly reason?: string
    }
  | { readonly kind: 'group'; readonly group: string; readonly from: Status; readonly to: Status }
  | { readonly kind: 'whole'; readonly from: Status; readonly to: Status }

/** A function that is called with each change of health. */
export type HealthListener = (change: HealthChange) => void

/** Notifies listeners of changes of health. */
export interface Changes {
  /** Registers a listener for changes from now on. Returns an unsubscribe function. */
  readonly onChange: (listener: HealthListener) => () => void
  /** Compares all statuses with those before, and notifies the listeners. Runs no check. */
  readonly detect: () => void
}

/** Something whose status can change. */
interface Subject {
  readonly describe: (from: Status, to: Status, now: number) => HealthChange
  readonly status: (now: number) => Status | undefined
  lastStatus: Status
}

interface ChangesSurroundings {
  readonly clock: Clock
  readonly report: Report
  /** Registered from the start, when every status is `UNKNOWN`. No state is read before the first change. */
  readonly listener?: HealthListener | undefined
}

/**
 * Detects changes of components, groups and the whole. A status is `UNKNOWN` until every check below it has completed
 * once. Does nothing while there are no listeners.
 */
export function createChanges(
  whole: Scope,
  groups: ReadonlyMap<string, Scope>,
  { clock, report, listener: first }: ChangesSurroundings,
): Changes {
  const subjects = [
    ...subjectsOf(whole.components, whole.order),
    ...[...groups].map(([group, scope]) =>
      createSubject(statusOf(scope), (from, to) => ({ kind: 'group', group, from, to })),
    ),
    createSubject(statusOf(whole), (from, to) => ({ kind: 'whole', from, to })),
  ]
  const listeners = new Set<{ readonly listener: HealthListener }>(first === undefined ? [] : [{ listener: first }])
  const queue: HealthChange[] = []
  let isNotifying = false

  function detect(): void {
    if (listeners.size === 0) return
    const now = clock.monotonicTime()
    for (const subject of subjects) {
      const [from, to] = [subject.lastStatus, subject.status(now) ?? 'UNKNOWN']
      subject.lastStatus = to
      if (statusKey(from) !== statusKey(to)) queue.push(subject.describe(from, to, now))
    }
    notifyAll()
  }

  /** Every listener receives the changes in order, even if one of them causes the next change. */
  function notifyAll(): void {
    if (isNotifying) return
    isNotifying = true
    for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
      for (const { listener } of [...listeners]) {
        notify(listener, [change], (error) => report('health: a listener failed', error))
      }
    }
    isNotifying = false
  }

  return {
    onChange(listener) {
      // A new listener does not receive earlier changes.
      if (listeners.size > 0) detect()
      else {
        const now = clock.monotonicTime()
        for (const subject of subjects) subject.lastStatus = subject.status(now) ?? 'UNKNOWN'
      }
      const entry = { listener }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    detect,
  }
}

/** Returns the parts of a composite before the composite itself. */
function subjectsOf(
  components: ReadonlyMap<string, Component>,
  order: readonly Status[],
  prefix = '',
): readonly Subject[] {
  return [...components].flatMap(([name, component]) => {
    const path = prefix + name
    const parts = component.kind === 'leaf' ? [] : subjectsOf(component.components, order, `${path}/`)
    const status = (now: number): Status | undefined => knownStatus(component, order, now)
    const describe: Subject['describe'] = (from, to, now) => {
      const reason = component.kind === 'leaf' ? component.latest(now)?.details?.['error'] : undefined
      return { kind: 'component', component: path, from, to, ...(typeof reason === 'string' && { reason }) }
    }
    return [...parts, createSubject(status, describe)]
  })
}

function createSubject(status: Subject['status'], describe: Subject['describe']): Subject {
  return { describe, status, lastStatus: 'UNKNOWN' }
}

function statusOf({ components, order }: Scope): Subject['status'] {
  return (now) => knownStatusOfWhole(components, order, now)
}
