import type { Socket } from 'node:net'
import { type Clock, systemClock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { untilAborted } from './until-aborted.ts'

const net = lazy(() => process.getBuiltinModule('node:net'))

export interface TcpOptions {
  /** @default 'localhost' */
  readonly host?: string | undefined
  readonly port: number
  readonly clock?: Clock | undefined
}

/**
 * `UP` while a port accepts connections. It says nothing of who is behind: a process that hangs still has its connections
 * accepted by the operating system, and some servers hold connections without a word against their client, so prefer the
 * indicator that speaks the server's language. Details: `host`, `port`, `address` (the one that answered), `latency`.
 *
 * @throws RangeError when the port is none.
 */
export function tcp({ host = 'localhost', port, clock = systemClock }: TcpOptions): HealthCheck {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new RangeError(`port must be a number from 1 to 65535, not ${port}`)
  }
  return createCheck({
    ask: async (signal) => {
      signal.throwIfAborted()
      const socket = net().connect({ host, port })
      try {
        await untilAborted(untilConnected(socket), signal)
        return { details: { address: socket.remoteAddress } }
      } finally {
        socket.destroy()
      }
    },
    context: () => ({ host, port }),
    clock,
  })
}

function untilConnected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    // Stays: a socket that is destroyed may still have an error to tell.
    socket.on('error', reject)
  })
}
