import type { Server } from 'node:net'
import type { EarlyClients } from './early-clients.ts'
import type { HeldSignals } from './held-signals.ts'
import type { Traps } from './traps.ts'

/** What is prepared before the application has been loaded. */
export interface Preparation {
  /** Whether to start at once, instead of with the first HTTP server. */
  readonly isImmediate: boolean
  readonly traps: Traps
  /** `undefined` if nothing is to be discovered. */
  readonly clients: EarlyClients | undefined
  /** `undefined` unless the application is to be shut down gracefully. */
  readonly signals: HeldSignals | undefined
}

/** Why the process starts its management, and the server that is the reason. */
export interface Waking {
  readonly cause: 'server' | 'primary' | 'always'
  readonly server?: Server
  /** Where the server is about to listen. */
  readonly options?: ListenOptions
}

/** The options of `listen` of node:net, as far as they are needed. A pipe has no port. */
export interface ListenOptions {
  readonly port?: unknown
  readonly host?: unknown
}
