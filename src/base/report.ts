/**
 * Told of what went wrong inside upkeep or behind it and is not the caller's business: an answer that threw, a
 * contributor that failed, a meter that was capped. What it throws, or rejects with, is ignored.
 */
export type Report = (message: string, cause?: unknown) => void

/** The same report, made harmless: what it throws, or rejects with, must not become a failure of its own. */
export function contain(report: Report): Report {
  return (...failure) => {
    try {
      const returned: unknown = report(...failure)
      Promise.resolve(returned).catch(() => {})
    } catch {
      // There is nobody left to tell.
    }
  }
}

export const reportToConsole: Report = (message, cause) => {
  console.error(`upkeep: ${message}`, ...(cause === undefined ? [] : [cause]))
}
