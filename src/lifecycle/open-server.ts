import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../base/clock.ts'
import { runBounded } from '../base/deadline.ts'
import { describeValue } from '../base/describe-value.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { optionOutOfRange } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { requireListening } from '../base/permissions.ts'
import { type Report, reportToConsole } from '../base/report.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import { isLoopbackAddress, isLoopbackHost } from '../http/conventions/loopback.ts'
import type { ManagementResponse } from '../http/message.ts'
import { handleClientErrors, type Refuse } from './client-error.ts'
import { limitConnections } from './connection-limit.ts'
import { markOwnServer } from './own-server.ts'
import { createDrain } from './shutdown/drain.ts'
import { createSecureServer, type TlsFiles } from './tls-files.ts'

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
  /** The number of connections at a time; others are closed at once. @default 256 */
  readonly maxConnections?: number | undefined
  /** The number of connections of one address at a time; others are closed at once. @default 64 */
  readonly maxConnectionsPerAddress?: number | undefined
  /** The files of a certificate, to serve HTTPS. A handshake may take `headersTimeout`. @default HTTP */
  readonly tls?: TlsFiles | undefined
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
  cert: 'to serve HTTPS, write tls: { certFile, keyFile }',
  key: 'to serve HTTPS, write tls: { certFile, keyFile }',
  https: 'to serve HTTPS, write tls: { certFile, keyFile }',
}

/** How a server is opened beside an application that does not know of it. */
interface Surroundings {
  /** Whether the process lives as long as the server. @default true */
  readonly keepsAlive?: boolean
  /** Whether a worker of `node:cluster` has the port for itself, unknown to its primary. @default false */
  readonly exclusive?: boolean
  /** Called with refused connections and with certificates that changed. @default console.error */
  readonly report?: Report
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

const known = ['port', 'host', 'headersTimeout', 'requestTimeout', 'idleTimeout', 'tls'] as const
const limits = ['maxConnections', 'maxConnectionsPerAddress'] as const

/**
 * Starts a server with limits against slow and many clients. Rejects if the address is not available, or if Node's
 * permission model does not permit to listen.
 *
 * @throws RangeError if a duration or a limit is malformed, TypeError if a file of `tls` cannot be read; the message
 * contains the option.
 */
export async function openServer(
  handler: RequestListener,
  refuse: Refuse,
  options: ListenOptions,
  { keepsAlive = true, exclusive = false, report = reportToConsole }: Surroundings = {},
): Promise<Listening> {
  requireKnownOptions('listen', options, [...known, ...limits], { foreignNames })
  const { port, host = '127.0.0.1', headersTimeout = '5s', requestTimeout = '10s', idleTimeout = '30s', tls } = options
  const { maxConnections = 256, maxConnectionsPerAddress = 64 } = options
  for (const name of limits) requireCount(name, options[name])
  requireListening('listen')
  let isLoopback = false
  const headersMilliseconds = durationMilliseconds(headersTimeout, 'listen: headersTimeout')
  const timeouts = {
    headersTimeout: headersMilliseconds,
    requestTimeout: durationMilliseconds(requestTimeout, 'listen: requestTimeout'),
    keepAliveTimeout: 5_000,
    // The interval at which Node checks the two timeouts; by default 30 seconds.
    connectionsCheckingInterval: 500,
  }
  const respond: RequestListener = (req, res) => {
    if (isLoopback && isForeign(req)) {
      sendRefusal(res, refuse(421, 'This server accepts only loopback names in Host.'))
    } else handler(req, res)
  }
  const server =
    tls === undefined
      ? createServer(timeouts)
      : createSecureServer('listen: tls', tls, { ...timeouts, handshakeTimeout: headersMilliseconds }, report)
  server.on('request', respond)
  limitConnections(server, { maxConnections, maxConnectionsPerAddress }, report, systemClock)
  markOwnServer(server)
  server.setTimeout(durationMilliseconds(idleTimeout, 'listen: idleTimeout'))
  handleClientErrors(server, refuse)
  const drain = createDrain(server, systemClock)
  if (!keepsAlive) server.on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      // Ends what follows its files, too.
      server.close()
      reject(error)
    }
    server.once('error', fail)
    server.listen({ port, host, exclusive }, () => {
      server.off('error', fail)
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

function requireCount(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return
  throw optionOutOfRange(`listen: ${name}: expected a whole number of 1 or more, received ${describeValue(value)}`)
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
