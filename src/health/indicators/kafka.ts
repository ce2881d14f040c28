import { type Clock, systemClock } from '../../base/clock.ts'
import { describeValue } from '../../base/describe-value.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck, requireClient } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { createSharedRequest } from './shared-request.ts'

/** The used part of a connected `Admin` of kafkajs. */
export interface KafkaAdmin {
  describeCluster(): PromiseLike<{
    readonly brokers: readonly unknown[]
    readonly controller: number | null
    readonly clusterId: string
  }>
}

/** Options of `kafka`. */
export interface KafkaOptions {
  /** The minimum number of brokers. @default 1 */
  readonly brokers?: number | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while the cluster has the minimum number of brokers. Details: `clusterId`, `brokers` (their number),
 * `controller` (its id), `latency`.
 *
 * @throws RangeError if `brokers` is not a number.
 */
export function kafka(admin: KafkaAdmin, options: KafkaOptions = {}): HealthCheck {
  checkIndicatorOptions('kafka', options, ['brokers', 'clock'], { minimumBrokers: 'brokers' })
  const { brokers: required = 1, clock = systemClock } = options
  requireClient('kafka', admin, 'an Admin of kafkajs', ['describeCluster'])
  if (!(required >= 0)) {
    throw optionOutOfRange(`kafka: brokers: expected a number, received ${describeValue(required)}`)
  }
  const describe = createSharedRequest(() => admin.describeCluster(), { clock })
  return createCheck({
    request: async (signal) => {
      const { brokers, controller, clusterId } = await describe(signal)
      return {
        status: brokers.length >= required ? 'UP' : 'DOWN',
        details: { clusterId, brokers: brokers.length, controller },
      }
    },
    clock,
  })
}
