import * as bullmq from 'bullmq'
import * as bullmq5 from 'bullmq-5'

/** The major versions of BullMQ that people use, for `describe.each`. */
export const bullmqVersions: readonly (readonly [major: number, library: typeof bullmq])[] = [
  // Safe: the tests use what both have.
  [5, bullmq5 as unknown as typeof bullmq],
  [6, bullmq],
]
