import type { HealthReport } from './health-report.ts'

/** Who may see a part of a health report. */
export type Audience = 'never' | 'when-authorized' | 'always'

/** The parts of a health report that a caller may see. */
export interface View {
  readonly components: boolean
  readonly details: boolean
}

/** Returns a copy of the report with the parts that the view allows. */
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
