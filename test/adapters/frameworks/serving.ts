import type { Management } from 'upkeep'
import type { Resources } from 'upkeep/rest'

/** An application that serves resources and a route `elsewhere`, and sets `X-Request-Id`. */
export interface ServingApplication {
  readonly resources: Resources
  /** What observes. */
  readonly management: Management
  /** The path below which the resources are mounted; `''` for the root. */
  readonly prefix: string
  /** Whether a lenient body parser precedes the resources, so that they receive bodies that they must refuse. */
  readonly parser: boolean
  readonly nextId: () => string
}
