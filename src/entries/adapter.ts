export { type Clock, systemClock } from '../base/clock.ts'
export { type ErrorCode, withErrorCode } from '../base/errors.ts'
export { type KnownOptionsContext, requireKnownOptions } from '../base/known-options.ts'
export type { MaybePromise } from '../base/maybe-promise.ts'
export { type Report, reportToConsole } from '../base/report.ts'
export type { ForeignNames } from '../base/unknown-option.ts'
export { authorityOf, originForm } from '../http/conventions/target.ts'
export { errorResponse, notFoundResponse, representationHeaders } from '../http/error-response.ts'
export type { ErrorDocument } from '../http/errors/error-document.ts'
export type {
  ManagementRequest,
  ManagementResponse,
  MessageBody,
  MessageHeaders,
  ResponseBody,
} from '../http/message.ts'
export { respondToError } from '../http/respond-to-error.ts'
export type { RequestHandler } from '../http/serve-routes.ts'
export type { StreamedContent } from '../http/streamed-content.ts'
export type { EndedRequest, RequestSubscriber } from '../instrumentation/http-server/ended-request.ts'
export { type ErrorHandling, handleError } from '../instrumentation/http-server/handle-error.ts'
export { mountTemplate } from '../instrumentation/http-server/mount-template.ts'
export {
  type ObservedMessage,
  recordError,
  reportedPath,
  setRoute,
  traceIdOf,
} from '../instrumentation/http-server/observed-request.ts'
export type { Observation } from '../instrumentation/observation.ts'
export type { Management } from '../management/management.ts'
export type { Mappings } from '../management/mappings/mappings.ts'
export type { AppRoute } from '../rest/paths/app-route.ts'
export { expressRoutes } from '../rest/paths/express-routes.ts'
export { koaRoutes } from '../rest/paths/koa-routes.ts'
export { markServed, servedRoutes } from '../rest/paths/served-routes.ts'
