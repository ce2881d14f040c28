/**
 * The bounds that OpenTelemetry's semantic conventions advise for HTTP requests and messaging, in seconds. A constant
 * of its own, because bundlers keep what reads a property.
 */
export const openTelemetryBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/**
 * The bucket bounds that other libraries use by default, in seconds: `histogram('orders.', { slo:
 * bucketPresets.promClient })`. Queries for the same `le` go on returning the same counts.
 */
export const bucketPresets: Readonly<Record<'expressPromBundle' | 'openTelemetry' | 'promClient', readonly number[]>> =
  {
    /** Those of `http_request_duration_seconds` of express-prom-bundle 8. */
    expressPromBundle: [0.003, 0.03, 0.1, 0.3, 1.5, 10],
    /** Those that OpenTelemetry's semantic conventions advise for HTTP requests and messaging. */
    openTelemetry: openTelemetryBuckets,
    /** Those of a histogram of prom-client 15. */
    promClient: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  }
