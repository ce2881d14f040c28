import type { IncomingMessage, Server } from 'node:http'
import type { Management } from '../../../entries/index.ts'
import type { Traps } from '../../traps.ts'
import type { LoadedModules } from '../loaded-modules.ts'

/** A request of node:http or node:http2, whose framework may have added members. */
export type ServedRequest = IncomingMessage

/** How the requests of one framework are recognized. */
export interface Framework {
  /** As shown at start. */
  readonly name: string
  observe(parts: FrameworkParts): ObservedFramework
}

export interface FrameworkParts {
  readonly management: Management
  readonly traps: Traps
  readonly modules: LoadedModules
}

/** A framework in this process. No member throws anything but what the framework throws. */
interface ObservedFramework {
  /** Looks for applications that have been created since. Returns whether the process has any. */
  find(): boolean
  /** Called with each server before its first request. */
  onServer?(server: Server): void
  /** Called before a request is handled. */
  onRequest?(request: ServedRequest): void
  /** Returns the template of the route of a request that has ended; `undefined` if it is not of this framework. */
  routeOf(request: ServedRequest): string | undefined
}
