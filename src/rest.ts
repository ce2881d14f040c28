export {
  createResources,
  type DescriptionOptions,
  type Resources,
  type ResourcesOptions,
} from './api/create-resources.ts'
export type { ErrorMembers, Fault } from './errors/error-document.ts'
export { HttpError, type HttpErrorOptions, isHttpError } from './errors/http-error.ts'
export type { Caching } from './http/conventions/caching.ts'
export type { OpenApiDocument, ServiceDescription } from './openapi/open-api-document.ts'
export type { Relation, RelationDocument } from './openapi/relation.ts'
export type { AppRoute } from './paths/app-route.ts'
export { type BrokenUrlRule, type CheckBaseUrlOptions, checkBaseUrl } from './paths/check-base-url.ts'
export { type Archetype, type BrokenRule, type CheckPathOptions, checkPath, type PathRule } from './paths/check-path.ts'
export { type BrokenRoute, checkRoutes } from './paths/check-routes.ts'
export { pathTo, type Variables } from './paths/path-template.ts'
export type { Action } from './resources/action.ts'
export { type Accepts, type BodyFormat, bytesBody, formBody, jsonBody, textBody } from './resources/body-format.ts'
export { type CollectionOptions, collection, type Search } from './resources/collection.ts'
export { type ControllerOptions, controller } from './resources/controller.ts'
export { type DocumentOptions, document } from './resources/document.ts'
export type { ListAction } from './resources/listing.ts'
export type { Page, PageLimits, PageRequest } from './resources/page.ts'
export type { AccessRule, ResourceDefinition } from './resources/part.ts'
export { type Problem, problem } from './resources/problem.ts'
export {
  type Accepted,
  accepted,
  created,
  movedPermanently,
  noContent,
  ok,
  type Redirect,
  type Reply,
  type ReplyOptions,
  seeOther,
  temporaryRedirect,
} from './resources/reply.ts'
export type { Links } from './resources/represent.ts'
export { type StoreOptions, store } from './resources/store.ts'
export { faultsOf, validate } from './resources/validate.ts'
export type { ChangeAction, WriteAction } from './resources/writing.ts'
export { type BrokenName, checkNames } from './schemas/check-names.ts'
export { type CompatibilityOptions, checkCompatibility, type Incompatibility } from './schemas/compatibility.ts'
export type { JsonSchema, ToJsonSchema } from './schemas/json-schema.ts'
export {
  type OlderVersion,
  type Representation,
  type RepresentationOptions,
  representation,
} from './schemas/representation.ts'
export type { Issue, Schema } from './schemas/schema.ts'
