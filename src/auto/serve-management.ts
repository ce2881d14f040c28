import type { Server } from 'node:http'
import { manage } from '../../adapters/node.ts'
import { setUnrefTimeout } from '../base/timers.ts'
import type { Management } from '../entries/index.ts'
import { openServer } from '../lifecycle/open-server.ts'
import { refuse } from '../lifecycle/refuse.ts'

/** Where a management is served. */
interface Address {
  readonly host: string
  readonly port: number
}

export interface ManagementServer {
  /** Stops listening, or trying to. */
  close(): void
}

interface Outcomes {
  readonly listening: () => void
  /** Called once if the port is not available. Returns whether to try again until it is. */
  readonly refused: (error: unknown) => Promise<boolean>
}

/** How often a member of a cluster looks whether the member that has the port has ended. */
const takeoverMilliseconds = 1_000

/**
 * Serves a management without keeping the process alive. The workers of `node:cluster` do not share the port: one of
 * them has it, so that their primary is not informed of a server that the application does not know.
 */
export function serveManagement(
  management: Management,
  address: Address,
  { listening, refused }: Outcomes,
): ManagementServer {
  let server: Server | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isRefused = false

  const attempt = async (): Promise<void> => {
    try {
      const opened = await openServer(manage(management), refuse, address, { keepsAlive: false, exclusive: true })
      server = opened.server
      if (isClosed) server.close()
      else listening()
    } catch (error) {
      if (!isRefused && !(await refused(error))) return
      isRefused = true
      if (!isClosed) timer = setUnrefTimeout(() => void attempt(), takeoverMilliseconds)
    }
  }
  void attempt()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      server?.close()
      server?.closeAllConnections()
    },
  }
}
