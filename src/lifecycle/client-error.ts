import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ManagementResponse } from '../http/message.ts'
import type { Refuse } from './refuse.ts'
import { PendingResponses } from './shutdown/pending-responses.ts'

/** What node:http says of bytes that are no request, or no whole one in time; 400 for everything else. */
const refusals: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The header is too long.'],
}

/** Responds to bytes that are not an HTTP request with an error document, and closes their connection. */
export function handleClientErrors(server: Server, refuse: Refuse): void {
  const pending = new PendingResponses()
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    pending.add(socket, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isExpected = pending.of(socket).every(isOfBrokenRequest)
    if (!isExpected || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const [status, detail] = refusals[error.code ?? ''] ?? [400, 'This is no HTTP request.']
    socket.end(formatAnswer(refuse(status, detail)), () => socket.destroy())
  })
}

/** Whether an error document would be taken for this response rightly: its own request broke off. */
function isOfBrokenRequest({ headersSent, req }: ServerResponse): boolean {
  return !headersSent && !req.complete
}

/** The answer's last bytes on its connection: there is no request that node:http could answer. */
function formatAnswer({ status, headers, body }: ManagementResponse): string {
  const fields = Object.entries({ ...headers, Date: new Date().toUTCString(), Connection: 'close' })
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${typeof body === 'string' ? body : ''}`
}
