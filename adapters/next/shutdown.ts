import type { Server } from 'node:http'
import type { Management } from '../../src/entries/index.ts'
import type { Telemetry } from '../../src/entries/otlp.ts'
import { type GracefulShutdown, type ShutdownOptions, shutdownGracefully } from '../node.ts'

/**
 * Returns the function that prepares the shutdown of each server that is found. Without the variable
 * `NEXT_MANUAL_SIG_HANDLE`, Next.js shuts down by itself.
 */
export function prepareShutdown(
  management: Management,
  options: ShutdownOptions | false,
  telemetry: Telemetry | undefined,
): (server: Server) => void {
  if (options === false) return () => {}
  if (!process.env['NEXT_MANUAL_SIG_HANDLE']) {
    flushOnSignal(management, telemetry)
    return () => {}
  }
  const flush = [...(options.flush ?? []), ...(telemetry === undefined ? [] : [telemetry])]
  const servers: Server[] = []
  let shutdown: GracefulShutdown | undefined
  return (server) => {
    servers.push(server)
    shutdown?.remove()
    shutdown = shutdownGracefully(servers, management, { ...options, flush })
  }
}

/** Next.js finishes the requests and exits by itself: what is known is sent meanwhile. */
function flushOnSignal({ availability }: Management, telemetry: Telemetry | undefined): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Without another listener, this one would replace the default effect, which ends the process.
    if (process.listenerCount(signal) === 0) continue
    process.once(signal, () => {
      availability.beginShutdown(signal)
      void telemetry?.flush()
    })
  }
}
