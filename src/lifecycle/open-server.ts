import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../base/clock.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { isLoopbackAddress, isLoopbackHost } from '../http/conventions/loopback.ts'
import type { ManagementResponse } from '../http/message.ts'
import { handleClientErrors } from './client-error.ts'
import type { Refuse } from './refuse.ts'
import { runBounded } from './shutdown/bounded.ts'
import { createDrain } from './shutdown/drain.ts'

export interface ListenOptions {
  /** 0 for one that is free. */
  readonly port: number
  /** Of a loopback address, only requests whose `Host` is a loopback name are accepted; others get a 421. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** How long a request's header may take to come. @default '5s' */
  readonly headersTimeout?: Duration | undefined
  /** How long a whole request may take to come, its body included. @default '10s' */
  readonly requestTimeout?: Duration | undefined
  /** How long a connection may be silent while it is answered. @default '30s' */
  readonly idleTimeout?: Duration | undefined
}

/** A server that listens. */
export interface Listening {
  readonly server: Server
  /** Where it really listens. */
  readonly address: AddressInfo
  /** Listens no more, and resolves when what is being answered is, or when five seconds have passed. */
  close(): Promise<void>
}

const closeMilliseconds = 5_000

/**
 * Listens with a handler, and with bounds on what a client can hold up. Rejects when it cannot listen there.
 *
 * @throws RangeError naming the duration that is none.
 */
export async function openServer(
  handler: RequestListener,
  refuse: Refuse,
  { port, host = '127.0.0.1', headersTimeout = '5s', requestTimeout = '10s', idleTimeout = '30s' }: ListenOptions,
): Promise<Listening> {
  let isLoopback = false
  const server = createServer(
    {
      headersTimeout: durationMilliseconds(headersTimeout, 'headersTimeout'),
      requestTimeout: durationMilliseconds(requestTimeout, 'requestTimeout'),
      keepAliveTimeout: 5_000,
      // Node looks at the two timeouts so often, and by default every 30 seconds.
      connectionsCheckingInterval: 500,
    },
    (req, res) => {
      if (isLoopback && isForeign(req))
        sendRefusal(res, refuse(421, 'This server accepts only loopback names in Host.'))
      else handler(req, res)
    },
  )
  server.setTimeout(durationMilliseconds(idleTimeout, 'idleTimeout'))
  handleClientErrors(server, refuse)
  const drain = createDrain(server, systemClock)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // Of a server that listens on a port, it is no text.
  const address = server.address() as AddressInfo
  isLoopback = isLoopbackAddress(address.address)
  const close = async (): Promise<void> => {
    const { outcome } = await runBounded(() => drain.begin(0), closeMilliseconds)
    if (outcome === 'timed out') drain.cut()
    drain.release()
  }
  return { server, address, close }
}

/**
 * A name that is no loopback name was made to resolve to one, as the page of a stranger does that wants to read what is
 * here (DNS rebinding). A program may send none; a browser always does.
 */
function isForeign({ headers: { host = '' } }: IncomingMessage): boolean {
  return host !== '' && !isLoopbackHost(host)
}

function sendRefusal(res: ServerResponse, { status, headers, body }: ManagementResponse): void {
  res.writeHead(status, headers).end(body)
}
