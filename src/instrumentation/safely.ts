import { onlyFirst } from '../base/callback.ts'
import type { Report } from '../base/report.ts'

/**
 * Wraps functions so that they never throw: an exception of a subscriber would end the process, that of a wrapper would
 * fail the call.
 */
export type Safely = <A extends readonly unknown[], R>(
  work: (...args: A) => R,
  otherwise: (...args: A) => R,
) => (...args: A) => R

/** Reports the first failure of an instrumentation only, since later ones are likely to be the same. */
export function createSafely(instrument: string, report: Report): Safely {
  const failed = onlyFirst((error: unknown) =>
    report(`instrument: ${instrument} failed; its calls may be missing from traces and meters`, error),
  )
  return (work, otherwise) =>
    (...args) => {
      try {
        return work(...args)
      } catch (error) {
        failed(error)
        return otherwise(...args)
      }
    }
}

/** Describes a call to a client. Returns `undefined` if that fails, since the arguments of the call may be anything. */
export function attempt<T>(describe: () => T): T | undefined {
  try {
    return describe()
  } catch {
    return undefined
  }
}
