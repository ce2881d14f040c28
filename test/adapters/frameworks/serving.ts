import type { Management } from 'upkeep'
import type { Resources } from 'upkeep/rest'

/** An application that serves resources, answers `elsewhere` beside them, and names each request in `X-Request-Id`. */
export interface ServingApplication {
  readonly resources: Resources
  /** What observes. */
  readonly management: Management
  /** The path below which the resources are mounted; `''` for the root. */
  readonly prefix: string
  /**
   * Whether a parser of bodies stands in front, lenient as it can be, so that the resources see what they would refuse.
   */
  readonly parser: boolean
  readonly nextId: () => string
}
