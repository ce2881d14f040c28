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
      /** A filter came when there were meters already, which it does not affect. */
      readonly kind: 'late-filter'
      readonly message: string
    }

export type Diagnose = (diagnostic: MeterDiagnostic) => void
