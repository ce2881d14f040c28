import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'

interface Sent {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly timeoutMilliseconds: number
  readonly maximumBytes: number
  readonly signal: AbortSignal
}

interface Received {
  readonly status: number
  readonly mediaType: string
  readonly text: string
  /** Whether there were more bytes, which were not read. */
  readonly isCut: boolean
}

/** Sends a request. Redirects are not followed. Rejects if there is no complete response in time. */
export async function send(
  url: string,
  { method, headers, body, timeoutMilliseconds, maximumBytes, signal: given }: Sent,
): Promise<Received> {
  const timeout = AbortSignal.timeout(timeoutMilliseconds)
  const signal = AbortSignal.any([timeout, given])
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const open = url.startsWith('https:') ? requestSecure : requestPlain
      open(url, { method, headers, signal }, resolve).on('error', reject).end(body)
    })
    const { bytes, isCut } = await readContent(response, maximumBytes)
    const mediaType = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    return { status: response.statusCode ?? 0, mediaType, text: bytes.toString(), isCut }
  } catch (error) {
    throw timeout.aborted ? new Error(`no response within ${timeoutMilliseconds / 1_000} s`) : error
  }
}

async function readContent(response: IncomingMessage, maximumBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // Ends the iteration, and with it the connection.
    if (size > maximumBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maximumBytes), isCut: size > maximumBytes }
}
