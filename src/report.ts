/**
 * Told of what went wrong inside upkeep or behind it and is not the caller's business: an answer that threw, a
 * contributor that failed, a meter that was capped. Must not throw.
 */
export type Report = (message: string, cause?: unknown) => void

export const reportToConsole: Report = (message, cause) => {
  console.error(`upkeep: ${message}`, ...(cause === undefined ? [] : [cause]))
}
