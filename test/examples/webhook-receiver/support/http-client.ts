import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface ClientRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
}

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request on a new connection, with these header fields and those that HTTP requires. */
export function sendRequest(
  origin: string,
  { method = 'POST', path, headers = {}, body }: ClientRequest,
): Promise<HttpResponse> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers: { ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export const json = { 'Content-Type': 'application/json' } as const

/** Posts a text message to a hook. */
export function post(origin: string, key: string, text: string): Promise<HttpResponse> {
  return sendRequest(origin, { path: `/hooks/${key}`, headers: json, body: JSON.stringify({ text }) })
}
