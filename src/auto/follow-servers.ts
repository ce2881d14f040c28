import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'
import { setUnrefTimeout } from '../base/timers.ts'
import { isOwnServer } from '../lifecycle/own-server.ts'
import type { ListenOptions } from './preparation.ts'

const listening = 'tracing:net.server.listen:asyncStart'

/** How long a process without a server may take to load its modules. */
const loadMilliseconds = 1_000

/** Calls a listener with the first HTTP server, and with all that begin to listen later, except those of upkeep. */
export function followServers(first: Server | undefined, listener: (server: Server) => void): void {
  if (first !== undefined) listener(first)
  followListening((server) => {
    if (isHttp(server)) listener(server)
  })
}

/**
 * Calls a listener before a server of the application, of any protocol, binds its address. Returns a function that ends
 * it.
 */
export function followListening(listener: (server: Server, options: ListenOptions) => void): () => void {
  const follow = (message: unknown): void => {
    try {
      const { server, options } = message as { readonly server: Server; readonly options?: ListenOptions }
      if (!isOwnServer(server)) listener(server, options ?? {})
    } catch {
      // An error of a subscriber would be an uncaught exception.
    }
  }
  subscribe(listening, follow)
  return () => void unsubscribe(listening, follow)
}

/** Calls a function once, when the modules of the application are loaded: at its first server, or after a second. */
export function whenLoaded(listener: () => void): void {
  let isCalled = false
  const call = (): void => {
    if (isCalled) return
    isCalled = true
    clearTimeout(timer)
    listener()
  }
  const timer = setUnrefTimeout(call, loadMilliseconds)
  followServers(undefined, call)
}

/** Whether a server is one of node:http, node:https or node:http2, also before it has listeners. */
function isHttp(server: Server): boolean {
  return 'requestTimeout' in server || 'updateSettings' in server
}
