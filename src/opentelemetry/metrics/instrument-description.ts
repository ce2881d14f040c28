import type { MetricOptions } from '@opentelemetry/api'

/** A kind of instrument of OpenTelemetry's. */
export type InstrumentKind =
  | 'counter'
  | 'upDownCounter'
  | 'gauge'
  | 'histogram'
  | 'observableCounter'
  | 'observableUpDownCounter'
  | 'observableGauge'

/** What an instrument is created with, read from options of any type. */
export interface InstrumentDescription {
  readonly kind: InstrumentKind
  readonly name: string
  readonly description: string | undefined
  /** The UCUM code; `undefined` if it is empty. */
  readonly unit: string | undefined
  /** Whether values are whole numbers: fractions are truncated (`ValueType.INT`). */
  readonly isInteger: boolean
  /** The advised upper bounds of a histogram's buckets; `undefined` without advice. */
  readonly boundaries: readonly number[] | undefined
}

export function describeInstrument(
  kind: InstrumentKind,
  name: string,
  options: MetricOptions | undefined,
): InstrumentDescription {
  const { description, unit, valueType, advice } = options ?? {}
  const boundaries: unknown = advice?.explicitBucketBoundaries
  return {
    kind,
    name,
    description: nonEmpty(description),
    unit: nonEmpty(unit),
    isInteger: valueType === integerType,
    boundaries: Array.isArray(boundaries) ? boundaries : undefined,
  }
}

/** `ValueType.INT`. */
const integerType = 0

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const nameGrammar = /^[a-z][a-z0-9_.\-/]{0,254}$/i

/**
 * Whether a name follows the rules for instruments: a letter, then at most 254 letters, digits, `_`, `.`, `-` or `/`
 * (OpenTelemetry Metrics API, Instrument name syntax).
 */
export function isInstrumentName(name: unknown): name is string {
  return typeof name === 'string' && nameGrammar.test(name)
}
