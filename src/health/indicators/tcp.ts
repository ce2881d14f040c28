import type { Socket } from 'node:net'
import { untilAborted } from '../../base/abortable.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { describeValue } from '../../base/describe-value.ts'
import { optionOutOfRange } from '../../base/errors.ts'
import { lazy } from '../../base/lazy.ts'
import type { HealthCheck } from '../indicator.ts'
import { createCheck } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'

const net = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:net'))

/** Options of `tcp`. */
export interface TcpOptions {
  /** @default 'localhost' */
  readonly host?: string | undefined
  readonly port: number
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while a port accepts connections. Prefer an indicator for the protocol of the server: the operating system
 * accepts connections of a process that hangs, and some servers block clients that connect without a request. Details:
 * `host`, `port`, `address` (the one that is connected), `latency`.
 *
 * @throws RangeError if the port is invalid.
 */
export function tcp(options: TcpOptions): HealthCheck {
  checkIndicatorOptions('tcp', options, ['host', 'port', 'clock'], { address: 'host', hostname: 'host' })
  const { host = 'localhost', port, clock = systemClock } = options
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw optionOutOfRange(`tcp: port: expected a whole number from 1 to 65535, received ${describeValue(port)}`)
  }
  return createCheck({
    request: async (signal) => {
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
    // Not once(): a destroyed socket may still emit an error.
    socket.on('error', reject)
  })
}
