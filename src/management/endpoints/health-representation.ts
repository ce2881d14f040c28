import type { HealthReport } from '../../health/health-report.ts'
import type { Status } from '../../health/status.ts'
import { showReport, type View } from '../../health/visibility.ts'
import type { Representation } from '../../http/representation.ts'
import { json } from './json-representation.ts'

/** Creates the representation of what a view shows of a report. */
export type RenderHealth = (report: HealthReport, view: View) => Representation

/** Returns a function that creates a representation at each call; `extra` are further members of the whole report. */
export function createHealthRenderer(httpStatus: (status: Status) => number, extra = {}): RenderHealth {
  return (report, view) => ({
    ...json({ ...showReport(report, view), ...extra }, 'no-store', componentsAsDetails),
    status: httpStatus(report.status),
  })
}

/** Returns health in the format of Spring Boot 2.0 and 2.1: components are `details`. */
function componentsAsDetails({ components, ...rest }: HealthReport): unknown {
  if (components === undefined) return rest
  const details = Object.entries(components).map(([name, component]) => [name, componentsAsDetails(component)])
  return { ...rest, details: Object.fromEntries(details) }
}

/**
 * Caches the latest representation of each view as long as the report is the same object, so that probes between two
 * checks get one response, rendered once. A representation is never returned for another view than its own.
 */
export function cacheHealth(render: RenderHealth): RenderHealth {
  const latest: { readonly report: HealthReport; readonly representation: Representation }[] = []
  return (report, view) => {
    const key = (view.components ? 1 : 0) + (view.details ? 2 : 0)
    const cached = latest[key]
    if (cached?.report === report) return cached.representation
    const representation = { ...render(report, view), cachedResponses: new Map() }
    latest[key] = { report, representation }
    return representation
  }
}
