import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../base/clock.ts'
import { runBounded } from '../base/deadline.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { failure } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { isDenied } from '../base/permissions.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import { isLoopbackAddress, isLoopbackHost } from '../http/conventions/loopback.ts'
import type { ManagementResponse } from '../http/message.ts'
import { handleClientErrors, type Refuse } from './client-error.ts'
import { markOwnServer } from './own-server.ts'
import { createDrain } from './shutdown/drain.ts'

/** Options of `listen`. */
export interface ListenOptions {
  /** 0 selects a free port. */
  readonly port: number
  /** On a loopback address, requests whose `Host` is not a loopback name are rejected with 421. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** How long receiving the header of a request may take. @default '5s' */
  readonly headersTimeout?: Duration | undefined
  /** How long receiving a request may take, including its body. @default '10s' */
  readonly requestTimeout?: Duration | undefined
  /** How long a connection may be inactive during a response. @default '30s' */
  readonly idleTimeout?: Duration | undefined
}

/** What others call these options. */
const foreignNames: ForeignNames = {
  address: 'host',
  hostname: 'host',
  timeout: 'requestTimeout',
  path: 'write basePath in the options of createManagement',
  prefix: 'write basePath in the options of createManagement',
  basePath: 'write basePath in the options of createManagement',
  token: 'write authorize: bearerToken(token) in the options of createManagement',
  cert: 'to serve HTTPS, call createServer({ key, cert }, manage(management)) of node:https',
  key: 'to serve HTTPS, call createServer({ key, cert }, manage(management)) of node:https',
  https: 'to serve HTTPS, call createServer({ key, cert }, manage(management)) of node:https',
}

/** How a server is opened beside an application that does not know of it. */
interface Surroundings {
  /** Whether the process lives as long as the server. @default true */
  readonly keepsAlive?: boolean
  /** Whether a worker of `node:cluster` has the port for itself, unknown to its primary. @default false */
  readonly exclusive?: boolean
}

/** A server that is listening. */
export interface Listening {
  readonly server: Server
  /** The actual address. */
  readonly address: AddressInfo
  /** Stops listening. Resolves when active requests have finished, or after five seconds. */
  close(): Promise<void>
}

const closeMilliseconds = 5_000

/**
 * Starts a server with timeouts against slow clients. Rejects if the address is not available, or if Node's permission
 * model does not permit to listen.
 *
 * @throws RangeError if a duration is malformed; the message contains its option.
 */
export async function openServer(
  handler: RequestListener,
  refuse: Refuse,
  options: ListenOptions,
  { keepsAlive = true, exclusive = false }: Surroundings = {},
): Promise<Listening> {
  requireKnownOptions('listen', options, ['port', 'host', 'headersTimeout', 'requestTimeout', 'idleTimeout'], {
    foreignNames,
  })
  const { port, host = '127.0.0.1', headersTimeout = '5s', requestTimeout = '10s', idleTimeout = '30s' } = options
  requireListening('listen')
  let isLoopback = false
  const server = createServer(
    {
      headersTimeout: durationMilliseconds(headersTimeout, 'listen: headersTimeout'),
      requestTimeout: durationMilliseconds(requestTimeout, 'listen: requestTimeout'),
      keepAliveTimeout: 5_000,
      // The interval at which Node checks the two timeouts; by default 30 seconds.
      connectionsCheckingInterval: 500,
    },
    (req, res) => {
      if (isLoopback && isForeign(req)) {
        sendRefusal(res, refuse(421, 'This server accepts only loopback names in Host.'))
      } else handler(req, res)
    },
  )
  markOwnServer(server)
  server.setTimeout(durationMilliseconds(idleTimeout, 'listen: idleTimeout'))
  handleClientErrors(server, refuse)
  const drain = createDrain(server, systemClock)
  if (!keepsAlive) server.on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  if (!keepsAlive) server.unref()
  // Safe: a server that listens on a port has such an address.
  const address = server.address() as AddressInfo
  isLoopback = isLoopbackAddress(address.address)
  const close = async (): Promise<void> => {
    const { outcome } = await runBounded(() => drain.begin(0), closeMilliseconds)
    if (outcome === 'timed out') drain.destroy()
    drain.release()
  }
  return { server, address, close }
}

/**
 * Checks that the process may listen on a port: otherwise Node throws where nothing catches it.
 *
 * @throws Error beginning with `name` and naming the missing permission.
 */
export function requireListening(name: string): void {
  if (isDenied('net'))
    throw failure('UPKEEP_EPERMISSION', `${name}: listening on a port requires the permission --allow-net`)
}

/**
 * Whether `Host` is a foreign name that resolves to a loopback address, as in DNS rebinding by a web page. Programs may
 * omit `Host`; browsers never do.
 */
function isForeign({ headers: { host = '' } }: IncomingMessage): boolean {
  return host !== '' && !isLoopbackHost(host)
}

function sendRefusal(res: ServerResponse, { status, headers, body }: ManagementResponse): void {
  res.writeHead(status, headers).end(body)
}
