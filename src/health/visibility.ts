import type { HealthReport } from './report.ts'

/** To whom something of a health report is shown. */
export type Audience = 'never' | 'when-authorized' | 'always'

/** What of a report whoever is asking may see. */
export interface View {
  readonly components: boolean
  readonly details: boolean
}

/** The part of a report that a view lets through. Always a new value: the report itself is everybody's. */
export function showReport(report: HealthReport, view: View): HealthReport {
  const { status, description, details, components } = report
  return {
    status,
    ...(description !== undefined && { description }),
    ...(view.details && details !== undefined && Object.keys(details).length > 0 && { details }),
    ...(view.components &&
      components !== undefined &&
      Object.keys(components).length > 0 && {
        components: showComponents(components, view),
      }),
  }
}

function showComponents(components: Readonly<Record<string, HealthReport>>, view: View) {
  const shown = Object.entries(components).map(([name, report]) => [name, showReport(report, view)] as const)
  return Object.fromEntries(shown) as Readonly<Record<string, HealthReport>>
}
