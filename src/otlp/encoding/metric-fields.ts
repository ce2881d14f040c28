import type { Field } from './message-writer.ts'

/** The fields of a message. */
type Fields<Name extends string> = Readonly<Record<Name, Field>>

/** `opentelemetry.proto.metrics.v1.ScopeMetrics`. */
export const metrics: Field = { number: 2, name: 'metrics', isRepeated: true }

/** `opentelemetry.proto.metrics.v1.Metric`. */
export const metricFields: Fields<'name' | 'description' | 'unit' | 'gauge' | 'sum' | 'histogram' | 'exponential'> = {
  name: { number: 1, name: 'name' },
  description: { number: 2, name: 'description' },
  unit: { number: 3, name: 'unit' },
  gauge: { number: 5, name: 'gauge' },
  sum: { number: 7, name: 'sum' },
  histogram: { number: 9, name: 'histogram' },
  exponential: { number: 10, name: 'exponentialHistogram' },
}

/** `Gauge`, `Sum`, `Histogram` and `ExponentialHistogram`. */
export const dataFields: Fields<'points' | 'temporality' | 'isMonotonic'> = {
  points: { number: 1, name: 'dataPoints', isRepeated: true },
  temporality: { number: 2, name: 'aggregationTemporality' },
  isMonotonic: { number: 3, name: 'isMonotonic' },
}

export const delta = 1
export const cumulative = 2

/** `NumberDataPoint`. */
export const numberFields: Fields<'attributes' | 'startTime' | 'time' | 'value' | 'exemplars'> = {
  attributes: { number: 7, name: 'attributes', isRepeated: true },
  startTime: { number: 2, name: 'startTimeUnixNano' },
  time: { number: 3, name: 'timeUnixNano' },
  value: { number: 4, name: 'asDouble' },
  exemplars: { number: 5, name: 'exemplars', isRepeated: true },
}

/** `HistogramDataPoint`. */
export const histogramFields: Fields<
  'attributes' | 'startTime' | 'time' | 'count' | 'sum' | 'bucketCounts' | 'bounds' | 'exemplars'
> = {
  attributes: { number: 9, name: 'attributes', isRepeated: true },
  startTime: { number: 2, name: 'startTimeUnixNano' },
  time: { number: 3, name: 'timeUnixNano' },
  count: { number: 4, name: 'count' },
  sum: { number: 5, name: 'sum' },
  bucketCounts: { number: 6, name: 'bucketCounts' },
  bounds: { number: 7, name: 'explicitBounds' },
  exemplars: { number: 8, name: 'exemplars', isRepeated: true },
}

/** `ExponentialHistogramDataPoint`. */
export const exponentialFields: Fields<
  'attributes' | 'startTime' | 'time' | 'count' | 'sum' | 'scale' | 'zeroCount' | 'positive' | 'exemplars'
> = {
  attributes: { number: 1, name: 'attributes', isRepeated: true },
  startTime: { number: 2, name: 'startTimeUnixNano' },
  time: { number: 3, name: 'timeUnixNano' },
  count: { number: 4, name: 'count' },
  sum: { number: 5, name: 'sum' },
  scale: { number: 6, name: 'scale' },
  zeroCount: { number: 7, name: 'zeroCount' },
  positive: { number: 8, name: 'positive' },
  exemplars: { number: 11, name: 'exemplars', isRepeated: true },
}

export const bucketFields: Fields<'offset' | 'counts'> = {
  offset: { number: 1, name: 'offset' },
  counts: { number: 2, name: 'bucketCounts' },
}

/** `opentelemetry.proto.metrics.v1.Exemplar`. */
export const exemplarFields: Fields<'time' | 'value' | 'spanId' | 'traceId'> = {
  time: { number: 2, name: 'timeUnixNano' },
  value: { number: 3, name: 'asDouble' },
  spanId: { number: 4, name: 'spanId' },
  traceId: { number: 5, name: 'traceId' },
}
