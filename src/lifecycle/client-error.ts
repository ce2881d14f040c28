import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ManagementResponse } from '../http/message.ts'
import { PendingResponses } from './shutdown/pending-responses.ts'

/** Creates the error document for a request that cannot be processed, or not even parsed. */
export type Refuse = (status: number, detail: string, headers?: Readonly<Record<string, string>>) => ManagementResponse

/** Statuses by the code of the error of node:http; 400 for all others. */
const refusals: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The header section is too long.'],
}

/** Responds to bytes that are not an HTTP request with an error document, and closes their connection. */
export function handleClientErrors(server: Server, refuse: Refuse): void {
  const pending = new PendingResponses()
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    pending.add(socket, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isExpected = pending.of(socket).every(isOfBrokenRequest) && !isOfHandshake(error, socket)
    if (!isExpected || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const [status, detail] = refusals[error.code ?? ''] ?? [400, 'Malformed HTTP request.']
    socket.end(formatResponse(refuse(status, detail)), () => socket.destroy())
  })
}

/** Whether a client of TLS has failed before a request: then no response can be encrypted. */
function isOfHandshake({ code = '' }: NodeJS.ErrnoException, socket: Socket): boolean {
  return 'encrypted' in socket && !code.startsWith('HPE_') && !code.startsWith('ERR_HTTP_')
}

/** Whether the client would assign an error document to the right request: the response to an incomplete one. */
function isOfBrokenRequest({ headersSent, req }: ServerResponse): boolean {
  return !headersSent && !req.complete
}

/** Formats a response as bytes: node:http has no request to which it could respond. */
function formatResponse({ status, headers, body }: ManagementResponse): string {
  const fields = Object.entries({ ...headers, Date: new Date().toUTCString(), Connection: 'close' })
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${typeof body === 'string' ? body : ''}`
}
