import type { Soon } from '../soon.ts'
import type { Access, Principal } from './authorize.ts'
import type { ManagementRequest } from './message.ts'
import type { Representation } from './representation.ts'

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
  readonly identify: () => Soon<Principal | undefined>
}

/** Reads or changes a resource; `undefined` when there is nothing to read, or nothing to say about the change. */
export type Handling = (call: Call) => Soon<Representation | undefined>

/** Something with an address. What it can do is what it has. */
export interface Resource {
  /** @default 'public' */
  readonly access?: Access
  /** Who may do more than read it. @default access */
  readonly changes?: Access
  /** Answers GET, and so HEAD. */
  readonly get?: Handling
  readonly post?: Handling
  readonly put?: Handling
  readonly patch?: Handling
  readonly delete?: Handling
}
