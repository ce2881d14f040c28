export { type BasicAuthOptions, basicAuth } from './access/basic-auth.ts'
export { type BearerTokenOptions, bearerToken } from './access/bearer-token.ts'
export type { ClientRegistry } from './bridges/prometheus-client.ts'
export { type PrometheusRegistryOptions, prometheusRegistry } from './bridges/prometheus-registry.ts'
export { deletePushedMetrics, type PushGroup, type PushOptions, pushMetrics } from './bridges/push-metrics.ts'
export { type Clock, systemClock } from './clock.ts'
export type { Duration } from './duration.ts'
export type { HealthGroupOptions, HealthOptions, HealthViewOptions } from './endpoints/health.ts'
export type { HttpMapping } from './endpoints/http-status.ts'
export type { ErrorDocument } from './errors/error-document.ts'
export { HttpError, type HttpErrorOptions, isHttpError } from './errors/http-error.ts'
export type {
  CheckedIndicator,
  CompositeIndicator,
  Health,
  HealthCheck,
  Indicator,
  Indicators,
  StateIndicator,
} from './health/indicator.ts'
export type { Status } from './health/status.ts'
export type { Audience } from './health/visibility.ts'
export { answerError, discardedFields } from './http/answer-error.ts'
export type { Authorize, Principal } from './http/authorize.ts'
export type {
  ManagementRequest,
  ManagementResponse,
  MessageBody,
  MessageHeaders,
  ResponseBody,
} from './http/message.ts'
export { formatTraceparent, parseTraceparent, type TraceContext } from './ids/traceparent.ts'
export { type DiskSpaceOptions, diskSpace } from './indicators/disk-space.ts'
export { type PostgresOptions, postgres } from './indicators/postgres.ts'
export type { InfoContributor, InfoPart } from './info/contributor.ts'
export type { Availability } from './lifecycle/availability.ts'
export { createManagement, type Management } from './management/create-management.ts'
export type { EndpointId, ManagementOptions } from './management/options.ts'
export type { ClientRequest } from './observation/client-requests.ts'
export type { Observation, ObservationOptions } from './observation/observation.ts'
export { noteFailure } from './observation/observed-request.ts'
export { type Report, reportToConsole } from './report.ts'
export type { InfoOptions } from './runtime/info-contributors.ts'
