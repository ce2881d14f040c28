import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Access, Principal } from './authorize.ts'
import type { ManagementRequest } from './message.ts'
import type { BareAnswer, Representation } from './representation.ts'

/** One request to one resource, as the resource sees it. */
export interface Call {
  readonly request: ManagementRequest
  /** The decoded values of the variable path segments, in their order. */
  readonly variables: readonly string[]
  readonly query: URLSearchParams
  /**
   * Finds out who is asking, which may take a while: a resource asks when its answer depends on it, and only then.
   * `undefined` for who is not known.
   */
  readonly identify: () => MaybePromise<Principal | undefined>
}

/** What an operation answers; `undefined` when there is nothing to read, or nothing to say about the change. */
export type Handled = Representation | BareAnswer | undefined

export type Handling = (call: Call) => MaybePromise<Handled>

/**
 * What a change has to demand of the state that it changes: nothing; something, or it is refused with 428; or, where PUT
 * inserts, something as soon as there is what it would overwrite, or it is refused with 409.
 */
export type Guard = 'none' | 'always' | 'occupied'

/** Something with an address. What it can do is what it has. */
export interface Resource {
  /** Of all methods, or of each. @default 'public' */
  readonly access?: Access | ((method: string) => Access)
  /** Holds for PUT, PATCH and DELETE. @default 'none' */
  readonly guard?: Guard | ((method: string) => Guard)
  /** Whether PUT creates the resource where `get` finds none; otherwise that is a 404. @default true */
  readonly inserts?: boolean
  /** Answers GET, and so HEAD. */
  readonly get?: Handling
  readonly post?: Handling
  readonly put?: Handling
  readonly patch?: Handling
  readonly delete?: Handling
}
