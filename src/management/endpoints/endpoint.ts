import { methodsOf } from '../../http/conventions/methods.ts'
import type { Offer } from '../../http/representation.ts'
import type { Route } from '../../http/router.ts'
import type { OperationDescription } from '../../rest/openapi/operation.ts'

/** The built-in endpoints that show nothing confidential, or require an authorized caller for some operations only. */
const openIds = ['health', 'info', 'metrics', 'prometheus', 'loggers'] as const

/** The built-in endpoints whose operations all require an authorized caller. */
export const guardedIds = [
  'tracing',
  'profile',
  'pprof',
  'env',
  'httpexchanges',
  'mappings',
  'logfile',
  'scheduledtasks',
  'caches',
  'shutdown',
  'startup',
  'sbom',
  'threaddump',
  'heapdump',
  'captures',
  'console',
  'why',
] as const

/** Whether all operations of an endpoint require an authorized caller, also where `access` is `public`. */
export function isGuarded(id: string): boolean {
  return guardedIds.some((guarded) => guarded === id)
}

export type BuiltInId = (typeof openIds)[number] | (typeof guardedIds)[number]

/** The identifiers of the built-in endpoints, in the order of the discovery page. */
export const builtInIds: readonly [BuiltInId, ...BuiltInId[]] = [...openIds, ...guardedIds]

/** The identifier of a built-in endpoint, or of one of `ManagementOptions.endpoints`. */
export type EndpointId = (typeof openIds)[number] | (typeof guardedIds)[number] | (string & Record<never, never>)

/**
 * A management endpoint: what `expose` and `access` refer to by its identifier. The built-in endpoints are of this type
 * too.
 */
export interface Endpoint {
  /** Letters, digits and hyphens, beginning with a letter. The first segment of the path of every route. */
  readonly id: string
  /**
   * The resources of the endpoint: at `id`, and at paths below it such as `queues/{name}`. Each has a link on the
   * discovery page. A resource without `access` requires an authorized caller, unless the option `access` declares the
   * endpoint public.
   */
  readonly routes: readonly Route[]
  /**
   * The paths of routes whose GET is audited like a change: those that take a dump or a profile, or download a file.
   * @default none
   */
  readonly auditedReads?: readonly string[] | undefined
  /**
   * The paths of routes that hold nothing of the service, such as the files of a page. The option `access` does not
   * apply to them, unless it removes the endpoint.
   * @default none
   */
  readonly publicPaths?: readonly string[] | undefined
  /** The paths of the routes to which the discovery page has links. @default all */
  readonly linkedPaths?: readonly string[] | undefined
  /**
   * Returns the form of the discovery page for clients that prefer HTML, by the path of the endpoint relative to that
   * page.
   * @default none
   */
  readonly indexPage?: ((path: string) => Offer) | undefined
  /** Returns the descriptions of its operations for OpenAPI. Called when a description is created. */
  readonly describe?: (() => EndpointDescription) | undefined
}

/** Whether an endpoint has an operation that changes something, or that its `auditedReads` names. */
export function isAudited({ auditedReads, routes }: Endpoint): boolean {
  return auditedReads !== undefined || routes.some(({ resource }) => methodsOf(resource).some((each) => each !== 'GET'))
}

/** Descriptions by the path of the route, then by method: `{ 'queues/{name}': { GET: { summary: '…' } } }`. */
export type EndpointDescription = Readonly<Record<string, Readonly<Record<string, OperationDescription>>>>
