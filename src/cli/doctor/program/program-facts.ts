import type { ManagementOptions } from '../../../management/options.ts'

/** What `upkeep doctor` reads of the program that it has started. */
export interface ProgramFacts {
  readonly managements: readonly ManagementFacts[]
  /** The TCP addresses at which the program listens. */
  readonly servers: readonly { readonly address: string; readonly port: number }[]
  /** The maximum duration of each `shutdownGracefully`, in milliseconds. */
  readonly shutdowns: readonly number[]
  /** The routes that are registered before `observe`, and whether the order is known. */
  readonly order: { readonly isKnown: boolean; readonly before: readonly string[] }
  /** How many requests `http.server.requests` has counted. */
  readonly observedRequests: number
  /** In bytes. */
  readonly heapLimit: number
  /** The limit of the container in bytes, `undefined` without one. */
  readonly containerMemory: number | undefined
}

export interface ManagementFacts {
  readonly basePath: string
  readonly paths: Readonly<Record<string, string>>
  /** The endpoints that everyone may read without being declared public. */
  readonly open: readonly string[]
  readonly hasAuthorize: boolean
  readonly liveness: readonly ComponentFacts[]
  readonly readiness: readonly ComponentFacts[]
}

/** A component of a health group. */
export interface ComponentFacts {
  /** Such as `db/primary`. */
  readonly path: string
  /** Whether its indicator is known to request another system. */
  readonly isRemote: boolean
}

/** The message of the channel `upkeep:management`. */
export interface AnnouncedManagement {
  readonly management: {
    readonly mappings: { register(app: object, framework: string, read: () => unknown): void }
    readonly measurements: { snapshot(): Iterable<{ readonly kind: string; readonly id: { readonly name: string } }> }
  }
  readonly options: ManagementOptions
  readonly groups: ReadonlyMap<string, { readonly components: ReadonlyMap<string, ComponentTree> }>
}

export interface ComponentTree {
  readonly components?: ReadonlyMap<string, ComponentTree>
}
