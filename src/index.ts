export { type Clock, systemClock } from './clock.ts'
export type { Duration } from './duration.ts'
export type {
  CheckedIndicator,
  CompositeIndicator,
  Health,
  HealthCheck,
  Indicator,
  Indicators,
} from './health/indicator.ts'
export type { Status } from './health/status.ts'
export type { ManagementRequest, ManagementResponse } from './http/message.ts'
