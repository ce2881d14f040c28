import type { ManagementOptions } from '../../../management/options.ts'

/** What `upkeep doctor` reads of the program that it has started. */
export interface ProgramFacts {
  readonly managements: readonly ManagementFacts[]
  readonly servers: readonly ServerFacts[]
  /** The maximum duration of each `shutdownGracefully`, in milliseconds. */
  readonly shutdowns: readonly number[]
  readonly order: OrderFacts
  /** How many requests `http.server.requests` has counted. */
  readonly observedRequests: number
  /** In bytes. */
  readonly heapLimit: number
  /** Whether an option of Node sets the limit; otherwise Node derives it from the memory of the container. */
  readonly isHeapSet: boolean
  /** The limit of the container in bytes, `undefined` without one. */
  readonly containerMemory: number | undefined
}

/** A server that listens on a port. */
export interface ServerFacts {
  readonly address: string
  readonly port: number
  readonly isHttp: boolean
  /** Whether it requires TLS. */
  readonly isSecure: boolean
  /** Whether it serves nothing but a management. */
  readonly isOwn: boolean
}

/** Where applications use `observe`, as far as it can be read. */
export interface OrderFacts {
  /** Whether it is used by an application, instead of by one of its routers. */
  readonly isKnown: boolean
  /** The routes that are registered before it. */
  readonly before: readonly string[]
  /** Whether it is used by a router or a route, so that the requests to others are not observed. */
  readonly isInRouter: boolean
}

export interface ManagementFacts {
  readonly basePath: string
  readonly paths: Readonly<Record<string, string>>
  /** The endpoints that everyone may read without being declared public. */
  readonly open: readonly string[]
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
