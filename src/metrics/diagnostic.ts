import { messageOf, notify } from '../base/callback.ts'

/** A problem with meters that does not fail the service. Each is reported once. */
export type MeterDiagnostic =
  | {
      /** A meter has reached its maximum of series. */
      readonly kind: 'series-limit'
      readonly message: string
      readonly meter: string
      readonly maximum: number
      /** The tag with the most values. */
      readonly tagKey: string
      readonly sampleValues: readonly string[]
    }
  | {
      /** The function of a gauge, function counter or function timer failed. */
      readonly kind: 'reading-failed'
      readonly message: string
      readonly meter: string
      readonly error: unknown
    }
  | {
      /** A meter that reads a function was registered a second time; it still reads the first one. */
      readonly kind: 'registered-before'
      readonly message: string
      readonly meter: string
    }
  | {
      /** A function of a filter threw or returned an unexpected value, and has no effect. Once per function. */
      readonly kind: 'filter-failed'
      readonly message: string
      /** The first meter for which it failed. */
      readonly meter: string
      readonly error: unknown
    }
  | {
      /** The source of exemplars threw or returned an unexpected value. */
      readonly kind: 'exemplar-failed'
      readonly message: string
      readonly error: unknown
    }
  | {
      /** A filter was added after meters had been created, which it does not affect. */
      readonly kind: 'late-filter'
      readonly message: string
    }

/** Called with each diagnostic. */
export type Diagnose = (diagnostic: MeterDiagnostic) => void

/** Reports the diagnostics of one registry. */
export class Diagnostics {
  /** Never throws: a listener that fails must not fail the code that records. */
  readonly report: Diagnose
  readonly #registeredBefore = new Set<string>()

  constructor(diagnose: Diagnose = ({ message }) => console.warn(message)) {
    this.report = (diagnostic) => notify(diagnose, [diagnostic], () => {})
  }

  exemplarFailed(error: unknown): void {
    const message = `metrics.exemplar failed; the measurement has no exemplar: ${messageOf(error)}`
    this.report({ kind: 'exemplar-failed', message, error })
  }

  readingFailed(meter: string, error: unknown): void {
    const message = `The meter '${meter}' could not be read: ${messageOf(error)}`
    this.report({ kind: 'reading-failed', message, meter, error })
  }

  registeredBefore(meter: string): void {
    if (this.#registeredBefore.has(meter)) return
    this.#registeredBefore.add(meter)
    const message = `The meter '${meter}' is already registered; the new function is ignored`
    this.report({ kind: 'registered-before', message, meter })
  }

  lateFilter(meter: string): void {
    const message = `A meter filter was added after meters such as '${meter}' were created; it does not affect them`
    this.report({ kind: 'late-filter', message })
  }
}
