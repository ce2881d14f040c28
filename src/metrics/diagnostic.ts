/** What went wrong with meters without failing the service; told once each. */
export type MeterDiagnostic =
  | {
      readonly kind: 'series-limit'
      readonly message: string
      readonly meter: string
      readonly maximum: number
      /** The tag that has the most values. */
      readonly tagKey: string
      readonly sampleValues: readonly string[]
    }
  | {
      /** A gauge or another meter that reads failed to. */
      readonly kind: 'reading-failed'
      readonly message: string
      readonly meter: string
      readonly error: unknown
    }
  | {
      /** A meter that reads was registered a second time; the first stays. */
      readonly kind: 'registered-before'
      readonly message: string
      readonly meter: string
    }
  | {
      /** A filter threw, or returned what it must not; meters are as they would be without it. Once a function of a filter. */
      readonly kind: 'filter-failed'
      readonly message: string
      /** The meter for which it failed first. */
      readonly meter: string
      readonly error: unknown
    }
  | {
      /** The source of exemplars threw, or returned what it must not. Once. */
      readonly kind: 'exemplar-failed'
      readonly message: string
      readonly error: unknown
    }
  | {
      /** A filter came when there were meters already, which it does not affect. */
      readonly kind: 'late-filter'
      readonly message: string
    }

export type Diagnose = (diagnostic: MeterDiagnostic) => void
