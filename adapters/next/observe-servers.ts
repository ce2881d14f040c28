import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Management } from '../../src/entries/index.ts'
import { processState } from './process-state.ts'
import { nextRouteTemplate } from './route-template.ts'

/**
 * Observes the requests of all HTTP servers of the process, also of those that listen already: Next.js calls
 * `register` after it has started its server, and does not pass it on. `onServer` is called with each one at its first
 * request.
 */
export function observeServers(management: Management, onServer: (server: Server) => void): void {
  const known = new WeakSet<object>()
  // Published before the event `request` is emitted, so that the first request is observed as well.
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { readonly server: Server }
    if (known.has(server)) return
    known.add(server)
    try {
      observeServer(server, management)
      onServer(server)
    } catch (error) {
      management.report('upkeep/next: failed to observe a server', error)
    }
  })
}

/** Runs the listeners of a server inside the observation, which a channel alone cannot: it runs nothing. */
function observeServer(server: Server, { observation }: Management): void {
  const { responses } = processState()
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', function observed(this: Server, request: IncomingMessage, response: ServerResponse) {
    const handle = () => {
      for (const listener of listeners) listener.call(this, request, response)
    }
    responses.run(response, () => observation.begin(response, request, nextRouteTemplate, handle))
  })
}
