import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface Question {
  readonly method?: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** One request on a connection of its own, with exactly these header fields and what HTTP itself needs. */
export function ask(origin: string, { method = 'POST', path, headers = {}, body }: Question): Promise<Reply> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path, headers: { ...headers }, agent: false }, (response) => {
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
    asked.on('error', reject)
    asked.end(body)
  })
}

export const json = { 'Content-Type': 'application/json' } as const

/** Posts a text to a hook. */
export function post(origin: string, key: string, text: string): Promise<Reply> {
  return ask(origin, { path: `/hooks/${key}`, headers: json, body: JSON.stringify({ text }) })
}
