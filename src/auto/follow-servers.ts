import { subscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'
import { setUnrefTimeout } from '../base/timers.ts'
import { isOwnServer } from '../lifecycle/own-server.ts'

const listening = 'tracing:net.server.listen:asyncStart'

/** How long a process without a server may take to load its modules. */
const loadMilliseconds = 1_000

/** Calls a listener with the first HTTP server, and with all that begin to listen later, except those of upkeep. */
export function followServers(first: Server | undefined, listener: (server: Server) => void): void {
  if (first !== undefined) listener(first)
  subscribe(listening, (message) => {
    try {
      const { server } = message as { readonly server: Server }
      if (isHttp(server) && !isOwnServer(server)) listener(server)
    } catch {
      // An error of a subscriber would be an uncaught exception.
    }
  })
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

function isHttp(server: Server): boolean {
  return server.listenerCount('request') > 0 || server.listenerCount('stream') > 0
}
