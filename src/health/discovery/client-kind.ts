import type { HealthCheck } from '../indicator.ts'

/** The components that are discovered, by the names that Spring Boot has for them, if it has one. */
export const discoveredComponents = ['db', 'kafka', 'mongo', 'nats', 'rabbit', 'redis'] as const

/** A component whose clients are discovered. */
export type DiscoveredComponent = (typeof discoveredComponents)[number]

/** What is discovered: components by the clients of the application, and the disk. */
export type DiscoveredKind = DiscoveredComponent | 'diskSpace'

/** What a client is connected with. Never contains a user or a password. */
export interface ConnectionTarget {
  readonly host?: string | undefined
  readonly port?: number | undefined
  /** The name of a database, or the number of one of Redis. */
  readonly database?: string | undefined
}

/** How the connections of a pool are used. */
interface PoolFigures {
  readonly total: number
  readonly idle: number
  readonly waiting: number
  readonly maximum: number
}

/**
 * `unused` before the application has used it, so that it has not connected. From then on it is `open`, also while it
 * reconnects. `lost` means that its connection broke and it will not reconnect; `ended` that the application has ended
 * it.
 */
export type ClientState = 'unused' | 'open' | 'lost' | 'ended'

/**
 * How the clients of one library are recognized and used, by their shape. Its methods are called with clients for which
 * `isClient` returns `true`.
 */
export interface ClientKind<C extends object = object> {
  readonly component: DiscoveredComponent
  /** Reads no member that other objects may have as a getter with an effect. */
  isClient(candidate: object): boolean
  /**
   * Whether it is a connection of another client, such as of a pool, which is checked in its place; without another
   * one, whether it is a connection of any.
   */
  isPartOf?(client: C, other: object | undefined): boolean
  targetOf(client: C): ConnectionTarget
  stateOf(client: C): ClientState
  /** Whether the client is busy with something for which a request would have to wait. @default it is not */
  isBusy?(client: C): boolean
  readonly pool?: {
    figuresOf(client: C): PoolFigures
    /** Calls a listener when a connection comes back. Returns a function that removes it. */
    onReturn(client: C, listener: () => void): () => void
  }
  /** Calls a listener when the client is closed: whether that was not meant. */
  onClose?(client: C, closed: (isLost: boolean) => void): void
  /** Creates the check of a client: one round trip over a connection that the application has. */
  checkOf(client: C): HealthCheck
}

/** Returns the target of a URL, or an empty one if it is not a URL. */
export function targetOfUrl(text: unknown, defaultPort: number): ConnectionTarget {
  if (typeof text !== 'string' || !URL.canParse(text)) return {}
  const { hostname, port, pathname } = new URL(text)
  return {
    host: decodeURIComponent(hostname) || undefined,
    port: port === '' ? defaultPort : Number(port),
    database: decodeURIComponent(pathname.slice(1)) || undefined,
  }
}

/** Whether a value has all of these methods. */
export function hasMethods(value: object, ...names: readonly string[]): boolean {
  return names.every((name) => typeof Reflect.get(value, name) === 'function')
}
