// `GET why`: what is wrong with the service now and in the last 15 minutes. Times are milliseconds since the epoch by
// the clock of the service, durations seconds, sizes bytes, shares 0 to 1.

export interface WhyDocument {
  readonly now: number
  /** The time that the statements are about. */
  readonly windowSeconds: number
  readonly application: WhyApplication
  /** One line: what is wrong, or that nothing is. */
  readonly summary: string
  /** The most important first; empty if nothing is wrong. */
  readonly statements: readonly WhyStatement[]
  /** What happened in the window, the latest first. */
  readonly markers: readonly WhyMarker[]
  /** How many statements are left out, because of the size of the document. */
  readonly omitted: number
}

export interface WhyApplication {
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly commit?: string | undefined
}

export const statementKinds = [
  'health',
  'memory',
  'pool',
  'event-loop',
  'gc',
  'outgoing',
  'traffic',
  'clock',
  'errors',
  'latency',
  'logs',
  'telemetry',
] as const

export type StatementKind = (typeof statementKinds)[number]

/** One thing that is wrong, in a sentence, with its evidence. */
export interface WhyStatement {
  readonly kind: StatementKind
  readonly severity: 'critical' | 'warning'
  /** From 0 to 100: what is more likely to be a cause than a consequence has more. */
  readonly weight: number
  readonly text: string
  /** When it began, if that is known. */
  readonly since?: number | undefined
  readonly evidence: readonly Evidence[]
  /** Trace identifiers of examples, three at most. */
  readonly traces: readonly string[]
  /** The fragment of the console's screen with more, such as `#/health?component=db`. */
  readonly link: string
}

/** A value that was measured. */
export interface Evidence {
  readonly name: string
  readonly value: number | string
  /** What it usually is. */
  readonly baseline?: number | undefined
  readonly unit?: 'seconds' | 'bytes' | 'share' | undefined
}

/** Something that happened, which may explain a statement. */
export interface WhyMarker {
  readonly at: number
  readonly kind: 'start' | 'health' | 'log-level' | 'clock'
  readonly text: string
}
