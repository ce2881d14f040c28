import type { HealthReport } from '../../health/report.ts'
import type { Status } from '../../health/status.ts'
import { showReport, type View } from '../../health/visibility.ts'
import type { Representation } from '../../http/representation.ts'
import { json } from './json.ts'

/** Makes a representation out of what a view lets through of a report. */
export type ShowHealth = (report: HealthReport, view: View) => Representation

/** Shows each report anew; `extra` is shown beside it. */
export function createShowHealth(httpStatus: (status: Status) => number, extra = {}): ShowHealth {
  return (report, view) => ({
    ...json({ ...showReport(report, view), ...extra }, 'no-store', detailsOfComponents),
    status: httpStatus(report.status),
  })
}

/** Health as Spring Boot 2.0 and 2.1 have it: components are `details`. */
function detailsOfComponents({ components, ...rest }: HealthReport): unknown {
  if (components === undefined) return rest
  const details = Object.entries(components).map(([name, component]) => [name, detailsOfComponents(component)])
  return { ...rest, details: Object.fromEntries(details) }
}

/**
 * Shows a report that was shown before as it was shown before, to those who may see as much of it: so probes between two
 * checks get one answer, made once. What one view lets through is never handed to who has another.
 */
export function keepShown(show: ShowHealth): ShowHealth {
  const latest: { readonly report: HealthReport; readonly representation: Representation }[] = []
  return (report, view) => {
    const key = (view.components ? 1 : 0) + (view.details ? 2 : 0)
    const shown = latest[key]
    if (shown?.report === report) return shown.representation
    const representation = { ...show(report, view), kept: new Map() }
    latest[key] = { report, representation }
    return representation
  }
}
