export type { Access, Authorize, Principal, ResourceAccess } from '../http/authorize.ts'
export type { Caching } from '../http/conventions/caching.ts'
export type { FieldSelection } from '../http/conventions/field-selection.ts'
export { decodeUtf8, type JsonTextOptions, parseJson } from '../http/conventions/json-text.ts'
export { readBody, type WholeBody } from '../http/conventions/request-body.ts'
export { type RequestTypeOptions, requestTypeOf } from '../http/conventions/request-type.ts'
export type { ErrorMembers, Fault } from '../http/errors/error-document.ts'
export { HttpError, type HttpErrorOptions, isHttpError } from '../http/errors/http-error.ts'
export type { ManagementRequest, ManagementResponse } from '../http/message.ts'
export {
  type EmptyResponse,
  type Offer,
  offerJson,
  type RangedContent,
  type RepresentationContent,
} from '../http/representation.ts'
export type { Call, HandlerResult, PreconditionPolicy, Resource, ResourceHandler } from '../http/resource.ts'
export type { Route } from '../http/router.ts'
export { type RequestHandler, type ServeRoutesOptions, serveRoutes } from '../http/serve-routes.ts'
export type { StreamedContent } from '../http/streamed-content.ts'
export type { Action } from '../rest/archetypes/action.ts'
export type { ActionResult, ActionValue } from '../rest/archetypes/action-response.ts'
export type { BodyContent } from '../rest/archetypes/body-format.ts'
export {
  type Accepts,
  type BodyFormat,
  bytesBody,
  formBody,
  jsonBody,
  textBody,
} from '../rest/archetypes/body-format.ts'
export { type CollectionOptions, collection, type Search } from '../rest/archetypes/collection.ts'
export { type ControllerOptions, controller } from '../rest/archetypes/controller.ts'
export { type DocumentOptions, document, type MemberOptions } from '../rest/archetypes/document.ts'
export type { ListAction, ListingOptions } from '../rest/archetypes/listing.ts'
export type { Page, PageLimits, PageRequest } from '../rest/archetypes/page.ts'
export type { ReadResource } from '../rest/archetypes/reading.ts'
export {
  type Accepted,
  accepted,
  created,
  movedPermanently,
  noContent,
  ok,
  type Problem,
  problem,
  type Redirect,
  type Reply,
  type ReplyOptions,
  seeOther,
  temporaryRedirect,
} from '../rest/archetypes/reply.ts'
export type { Links, ResponseOptions } from '../rest/archetypes/represent.ts'
export type {
  AccessRule,
  ResourceDefinition,
  ResourceOperation,
  ResourcePart,
  ResourceSettings,
} from '../rest/archetypes/resource-definition.ts'
export { type StoreOptions, store } from '../rest/archetypes/store.ts'
export type { ValueSource } from '../rest/archetypes/validate.ts'
export { faultsOf, validate } from '../rest/archetypes/validate.ts'
export type { ChangeAction, WriteAction } from '../rest/archetypes/writing.ts'
export {
  createResources,
  type DescriptionOptions,
  type Resources,
  type ResourcesOptions,
} from '../rest/create-resources.ts'
export type { OpenApiDocument, ServiceDescription } from '../rest/openapi/open-api-document.ts'
export type {
  DescribedContent,
  DescribedOperation,
  DescribedParameter,
  DescribedResponse,
  OperationDescription,
} from '../rest/openapi/operation.ts'
export type { Relation, RelationDocument } from '../rest/openapi/relation.ts'
export type { AppRoute } from '../rest/paths/app-route.ts'
export { type BrokenUrlRule, type CheckBaseUrlOptions, checkBaseUrl } from '../rest/paths/check-base-url.ts'
export {
  type Archetype,
  type BrokenRule,
  type CheckPathOptions,
  checkPath,
  type PathRule,
} from '../rest/paths/check-path.ts'
export { type BrokenRoute, checkRoutes } from '../rest/paths/check-routes.ts'
export type { ParentPath } from '../rest/paths/path-template.ts'
export { pathTo, type Variables } from '../rest/paths/path-template.ts'
export { type BrokenName, checkNames } from '../rest/schemas/check-names.ts'
export { type CompatibilityOptions, checkCompatibility, type Incompatibility } from '../rest/schemas/compatibility.ts'
export type {
  DescribedRepresentation,
  DescribedVersion,
  RepresentationVersion,
} from '../rest/schemas/described-representation.ts'
export {
  type OlderVersion,
  type Representation,
  type RepresentationOptions,
  representation,
} from '../rest/schemas/described-representation.ts'
export type { JsonSchema, SchemaDirection, ToJsonSchema } from '../rest/schemas/json-schema.ts'
export type { Issue, JsonSchemaSource, JsonSchemaTarget, Schema, SchemaResult } from '../rest/schemas/schema.ts'
