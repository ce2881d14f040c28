import type { DistributionOptions } from '../../metrics/distribution/distribution-options.ts'

/**
 * The buckets of `http.server.requests`, in seconds. There are few, because each is a series for every combination of
 * tags.
 */
export const requestBuckets: readonly number[] = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** The native buckets, each 9 % wider than the one before, which are in protobuf only. */
export const requestExponential: DistributionOptions['exponential'] = { maximumScale: 3 }
