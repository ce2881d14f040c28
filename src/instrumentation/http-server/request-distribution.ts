import type { DistributionOptions } from '../../metrics/distribution/distribution-options.ts'

/**
 * The distribution of `http.server.requests`. There are few buckets, from 5 ms to 5 s, because each is a series for
 * every combination of tags. Exponential buckets, each 9 % wider than the one before, are in protobuf only.
 */
export const requestDistribution: DistributionOptions = {
  slo: [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  exponential: { maximumScale: 3 },
}
