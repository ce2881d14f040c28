import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkClient } from './check-client.ts'
import { createInquiry } from './inquiry.ts'

/** What is asked of an `Admin` of kafkajs that is connected. */
export interface KafkaAdmin {
  describeCluster(): PromiseLike<{
    readonly brokers: readonly unknown[]
    readonly controller: number | null
    readonly clusterId: string
  }>
}

export interface KafkaOptions {
  /** How many brokers the cluster must have. @default 1 */
  readonly brokers?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * `UP` while the cluster describes itself and has the brokers that it must have. Details: `clusterId`, `brokers` (how
 * many there are), `controller` (its id), `latency`.
 *
 * @throws RangeError when the number of brokers is none.
 */
export function kafka(
  admin: KafkaAdmin,
  { brokers: required = 1, clock = systemClock }: KafkaOptions = {},
): HealthCheck {
  checkClient('kafka', admin, 'an Admin of kafkajs', ['describeCluster'])
  if (!(required >= 0)) {
    throw new RangeError(`brokers must be a number, not ${required}`)
  }
  const describe = createInquiry(() => admin.describeCluster(), { clock })
  return createCheck({
    ask: async (signal) => {
      const { brokers, controller, clusterId } = await describe(signal)
      return {
        status: brokers.length >= required ? 'UP' : 'DOWN',
        details: { clusterId, brokers: brokers.length, controller },
      }
    },
    clock,
  })
}
