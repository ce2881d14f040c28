/** The numbers of the fields of `io.prometheus.client`, of version 0.6.3 of Prometheus' client_model. */
export const fields = {
  metricFamily: { name: 1, help: 2, type: 3, metric: 4, unit: 5 },
  metric: { label: 1, gauge: 2, counter: 3, summary: 4, untyped: 5, histogram: 7 },
  labelPair: { name: 1, value: 2 },
  /** Of a gauge, a counter and an untyped value. */
  value: 1,
  counter: { exemplar: 2, createdTimestamp: 3 },
  summary: { sampleCount: 1, sampleSum: 2, quantile: 3, createdTimestamp: 4 },
  quantile: { quantile: 1, value: 2 },
  histogram: {
    sampleCount: 1,
    sampleSum: 2,
    bucket: 3,
    schema: 5,
    zeroThreshold: 6,
    zeroCount: 7,
    positiveSpan: 12,
    positiveDelta: 13,
    createdTimestamp: 15,
    exemplars: 16,
  },
  bucket: { cumulativeCount: 1, upperBound: 2, exemplar: 3 },
  bucketSpan: { offset: 1, length: 2 },
  exemplar: { label: 1, value: 2, timestamp: 3 },
  timestamp: { seconds: 1, nanos: 2 },
} as const

/** The enumeration `MetricType`. */
export const metricTypes = { counter: 0, gauge: 1, summary: 2, untyped: 3, histogram: 4, gaugeHistogram: 5 } as const
