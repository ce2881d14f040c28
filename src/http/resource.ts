import type { Duration } from '../base/duration.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Principal, ResourceAccess } from './authorize.ts'
import type { ManagementRequest } from './message.ts'
import type { EmptyResponse, Representation } from './representation.ts'

/** One request to one resource. */
export interface Call {
  readonly request: ManagementRequest
  /** The decoded values of the variable path segments, in order. */
  readonly variables: readonly string[]
  readonly query: URLSearchParams
  /**
   * Returns the caller, or `undefined` if it is unknown. May take a while: for resources that are public and whose
   * representation depends on the caller.
   */
  readonly identify: () => MaybePromise<Principal | undefined>
  /** Aborts when the response is no longer read: the client disconnected, or an endless response was ended. */
  readonly signal: AbortSignal
  /**
   * Allows the connection to be idle for longer than the server's limit, such as the `idleTimeout` of `listen`, until
   * the response has ended. For an operation whose first byte, or whose next one, takes longer. Ignored where the limit
   * is longer, and by servers that have none.
   *
   * @throws RangeError for an invalid duration.
   */
  readonly extendIdleTimeout: (duration: Duration) => void
}

/** The result of an operation; `undefined` for a resource that does not exist, or a change without a representation. */
export type HandlerResult = Representation | EmptyResponse | undefined

/** A function that handles a method of a resource. */
export type ResourceHandler = (call: Call) => MaybePromise<HandlerResult>

/**
 * The preconditions that a change requires: none; always one, otherwise it is refused with 428; or, where PUT creates,
 * one if the resource exists, otherwise it is refused with 409.
 */
export type PreconditionPolicy = 'none' | 'always' | 'occupied'

/** A resource. It responds to the methods that it implements. */
export interface Resource {
  /** Who may call it: for all methods, or by method. @default 'public', at management endpoints 'authorized' */
  readonly access?: ResourceAccess
  /**
   * Whether GET is refused like a change if a page of another origin causes it: for what costs time, such as a dump.
   * @default false
   */
  readonly refusesCrossSiteReads?: boolean
  /** For PUT, PATCH and DELETE. @default 'none' */
  readonly guard?: PreconditionPolicy | ((method: string) => PreconditionPolicy)
  /** Whether PUT creates the resource where `get` returns nothing; otherwise that is a 404. @default true */
  readonly inserts?: boolean
  /** Responds to GET and HEAD. */
  readonly get?: ResourceHandler
  readonly post?: ResourceHandler
  readonly put?: ResourceHandler
  readonly patch?: ResourceHandler
  readonly delete?: ResourceHandler
}
