import type { Report } from '../../base/report.ts'

/** Reports each mistake in the use of the API once: instruments are used at each request. */
export type ReportMisuse = (message: string, cause?: unknown) => void

/** Further messages are not reported: names may come from a client. */
const maxMessages = 1_000

export function createMisuseReport(report: Report): ReportMisuse {
  const reported = new Set<string>()
  return (message, cause) => {
    if (reported.has(message) || reported.size >= maxMessages) return
    reported.add(message)
    report(`opentelemetry: ${message}`, cause)
  }
}
