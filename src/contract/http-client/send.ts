import type { Socket } from 'node:net'
import { readResponse, type WireResponse } from './response.ts'

/** A request sent unchanged, well-formed or not. */
export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly fields: Readonly<Record<string, string>>
  readonly content?: string | Uint8Array | undefined
  /** @default '1.1' */
  readonly version?: '1.0' | '1.1' | undefined
}

/** How long a server may take to close a connection when asked to. */
const lingerMilliseconds = 200

/**
 * Sends pipelined requests over one connection and reads their responses. The last request must ask to close the
 * connection: bytes until then belong to the last response.
 */
export async function send(
  origin: Origin,
  requests: readonly WireRequest[],
  timeoutMilliseconds: number,
): Promise<readonly WireResponse[]> {
  const socket = await connectTo(origin, timeoutMilliseconds)
  try {
    socket.write(Buffer.concat(requests.map(bytesOf)))
    return await readAll(socket, requests, timeoutMilliseconds)
  } finally {
    socket.destroy()
  }
}

function bytesOf({ method, target, fields, content, version = '1.1' }: WireRequest): Buffer {
  const body = Buffer.from(content ?? '')
  const length = content === undefined ? {} : { 'Content-Length': String(body.length) }
  const lines = Object.entries({ ...length, ...fields }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

function readAll(
  socket: Socket,
  requests: readonly WireRequest[],
  timeoutMilliseconds: number,
): Promise<readonly WireResponse[]> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    let linger: NodeJS.Timeout | undefined
    const timer = setTimeout(
      () => finish(new Error(`no response within ${timeoutMilliseconds} ms`)),
      timeoutMilliseconds,
    )
    const finish = (result: readonly WireResponse[] | Error) => {
      clearTimeout(timer)
      clearTimeout(linger)
      if (result instanceof Error) reject(result)
      else resolve(result)
    }
    const look = (ended: boolean) => {
      try {
        const responses = readResponses(bytes, requests, ended)
        if (responses === undefined) return
        if (ended) finish(responses)
        else linger ??= setTimeout(() => look(true), lingerMilliseconds)
      } catch (error) {
        finish(error instanceof Error ? error : new Error(String(error)))
      }
    }
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      look(false)
    })
    // A server may reset the connection after its response instead of closing it.
    socket.on('error', (error) => (bytes.length === 0 ? finish(error) : look(true)))
    socket.on('close', () => look(true))
  })
}

function readResponses(
  bytes: Buffer,
  requests: readonly WireRequest[],
  ended: boolean,
): readonly WireResponse[] | undefined {
  const responses: WireResponse[] = []
  let rest = bytes
  for (const { method } of requests) {
    const response = readResponse(rest, method, ended)
    if (response === undefined) return undefined
    responses.push(response)
    rest = response.rest
  }
  return responses
}

/** The origin of a service. */
export interface Origin {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** Value of `Host`. */
  readonly authority: string
}

export function originOf(url: URL): Origin {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { secure, host, port: Number(url.port) || (secure ? 443 : 80), authority: url.host }
}

/** Opens a connection. Rejects after `timeoutMilliseconds`. */
export async function connectTo({ secure, host, port }: Origin, timeoutMilliseconds: number): Promise<Socket> {
  const { connect, isIP } = process.getBuiltinModule('node:net')
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const socket = secure
    ? process.getBuiltinModule('node:tls').connect({ host, port, ...servername, ALPNProtocols: ['http/1.1'] })
    : connect({ host, port })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => fail(new Error(`no connection within ${timeoutMilliseconds} ms`)),
      timeoutMilliseconds,
    )
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
