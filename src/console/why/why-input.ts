import type { LevelChange } from '../../logging/levels/level-changes.ts'
import type { HealthChangeFacts, HealthNode, Limits, PoolFacts, Vitals } from '../documents.ts'
import type { LoopBlock } from '../loop-blocks.ts'
import type { RequestLog } from '../requests/request-log.ts'
import type { RouteStatistics } from '../requests/route-statistics.ts'
import type { SpanLog } from '../requests/span-log.ts'
import type { History } from '../vitals/history.ts'
import type { CallWindow } from './call-minutes.ts'
import type { WhyHistories } from './why-histories.ts'

/** What the statements are read from. */
export interface WhyInput {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The same in monotonic time. */
  readonly monotonicNow: number
  readonly startedAt: number
  readonly vitals: Vitals
  readonly limits: Limits
  readonly health: HealthNode | undefined
  /** The changes of health of the last hour, the latest first. */
  readonly changes: readonly HealthChangeFacts[]
  /** The last changes of log levels. */
  readonly levels: readonly LevelChange[]
  /** Returns the longest block of the event loop since a time, if the flight recorder has captured one. */
  readonly blockSince: (earliest: number) => LoopBlock | undefined
  readonly pools: readonly PoolFacts[]
  readonly poolWaits: readonly CallWindow[]
  readonly outgoing: readonly CallWindow[]
  readonly lost: readonly CallWindow[]
  readonly routes: Pick<RouteStatistics, 'suspects'>
  readonly requests: Pick<RequestLog, 'examplesOf'>
  readonly spans: Pick<SpanLog, 'ended'>
  readonly seconds: Pick<History, 'valuesOf' | 'read'>
  readonly histories: Pick<WhyHistories, 'logs' | 'memory' | 'traffic' | 'shift'>
}

/** The time that the statements are about, in milliseconds. */
export const windowMilliseconds: number = 15 * 60 * 1_000
