import { onlyFirst } from '../base/callback.ts'
import type { Report } from '../base/report.ts'

/** Makes functions that never throw: what a subscriber throws would end the process, and what a wrapper throws the call. */
export type Safely = <A extends readonly unknown[], R>(
  work: (...args: A) => R,
  otherwise: (...args: A) => R,
) => (...args: A) => R

/** Reports the first failure of an instrument, since each of its calls is likely to fail alike. */
export function createSafely(instrument: string, report: Report): Safely {
  const failed = onlyFirst((error: unknown) =>
    report(`The instrument '${instrument}' failed, and what it should have told is lost`, error),
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
