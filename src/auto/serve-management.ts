import type { Server } from 'node:http'
import { isIP } from 'node:net'
import { manage } from '../../adapters/node.ts'
import { onlyFirst } from '../base/callback.ts'
import { setUnrefTimeout } from '../base/timers.ts'
import type { Management } from '../entries/index.ts'
import { openServer } from '../lifecycle/open-server.ts'
import { refuse } from '../lifecycle/refuse.ts'
import { followListening } from './follow-servers.ts'
import type { ListenOptions } from './preparation.ts'
import type { ServerSettings } from './settings/auto-options.ts'

/** Where a management is served, and how. */
interface Address extends ServerSettings {
  readonly host: string
  readonly port: number
}

export interface ManagementServer {
  /** Stops listening, or trying to. */
  close(): void
}

interface Outcomes {
  readonly listening: () => void
  /**
   * Called once if the port is not available, or a file of `tls` cannot be read. Returns whether to try again until the
   * port is available.
   */
  readonly refused: (error: unknown) => Promise<boolean>
  /** Called when the application listens at the address itself, which then serves no management. */
  readonly claimed: () => void
  /** Called once if the server fails while it is listening, such as without file descriptors. */
  readonly failed: (error: unknown) => void
}

/** How often a member of a cluster looks whether the member that has the port has ended. */
const takeoverMilliseconds = 1_000

/**
 * Serves a management without keeping the process alive, at an address that the application does not use: it gets it,
 * whether it listens before or later. `first` is where its first server is about to listen. The workers of
 * `node:cluster` do not share the port: one of them has it, so that their primary is not informed of a server that the
 * application does not know.
 */
export function serveManagement(
  management: Management,
  address: Address,
  first: ListenOptions | undefined,
  { listening, refused, claimed, failed }: Outcomes,
): ManagementServer {
  let server: Server | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isRefused = false

  const attempt = async (): Promise<void> => {
    if (isClosed) return
    try {
      const opened = await openServer(manage(management), refuse, address, {
        ...{ keepsAlive: false, exclusive: true, report: management.report },
      })
      server = opened.server
      server.on('error', onlyFirst(failed))
      if (isClosed) server.close()
      else listening()
    } catch (error) {
      if (isClosed || (!isRefused && !(await refused(error)))) return
      isRefused = true
      if (!isClosed) timer = setUnrefTimeout(() => void attempt(), takeoverMilliseconds)
    }
  }

  const close = (): void => {
    if (isClosed) return
    isClosed = true
    unfollow()
    clearTimeout(timer)
    server?.close()
    server?.closeAllConnections()
  }
  const yieldTo = (options: ListenOptions): void => {
    if (isClosed || !isSame(options, address)) return
    close()
    claimed()
  }
  const unfollow = followListening((_server, options) => yieldTo(options))

  if (first !== undefined) yieldTo(first)
  // In a turn of its own: a server that the application opens in this one begins to listen before.
  setImmediate(() => void attempt()).unref()
  return { close }
}

/** Whether a server could not listen where the other one does. Names of hosts may have any address. */
function isSame({ port, host }: ListenOptions, address: Address): boolean {
  if (Number(port) !== address.port) return false
  if (typeof host !== 'string' || isIP(host) === 0 || isIP(address.host) === 0) return true
  return host === address.host || [host, address.host].some((each) => each === '0.0.0.0' || /^[0:]+$/.test(each))
}
