import type { Component } from './component.ts'
import { aggregateStatus, type Status } from './status.ts'

/** What there is to say of a component, with everything that an authorized caller may see. */
export interface HealthReport {
  readonly status: Status
  readonly description?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly components?: Readonly<Record<string, HealthReport>> | undefined
}

/** Asks a component how it is. Never rejects. */
export async function reportComponent(component: Component, order: readonly Status[]): Promise<HealthReport> {
  return component.kind === 'leaf' ? component.health() : reportWhole(component.components, order)
}

/** Asks all the components of a whole at once; the whole is what the first in order of their statuses says. */
export async function reportWhole(
  components: ReadonlyMap<string, Component>,
  order: readonly Status[],
): Promise<HealthReport> {
  const reports = await Promise.all(
    [...components].map(async ([name, component]) => [name, await reportComponent(component, order)] as const),
  )
  const statuses = reports.map(([, report]) => report.status)
  return { status: aggregateStatus(statuses, order), components: Object.fromEntries(reports) }
}
