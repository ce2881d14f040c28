import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { HttpError } from 'upkeep'

export type ReadBody = (request: IncomingMessage, response: ServerResponse) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Reads bodies, and decompresses them.
 *
 * @throws HttpError 413 for more than `longest` bytes, 415 for another coding than gzip, deflate and br, 400 for one
 * that is broken off.
 */
export function createBodyReader(longest: number): ReadBody {
  const inflate = createInflating(longest)
  return (request, response) =>
    request.headers['content-encoding'] === undefined ? readPlain(request, longest) : inflate(request, response)
}

/** Reads a body without compression, the most common case, with the least work. */
function readPlain(request: IncomingMessage, longest: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const brokenOff = () => reject(new HttpError(400, 'The request was broken off.'))
    if (Number(request.headers['content-length'] ?? 0) > longest) return reject(tooLarge(longest))
    if (request.destroyed) return brokenOff()
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= longest) chunks.push(chunk)
      else reject(tooLarge(longest))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', brokenOff)
  })
}

function createInflating(longest: number): ReadBody {
  const read = express.raw({ type: () => true, limit: longest })
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      read(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(isTooLarge(error) ? tooLarge(longest, error) : error),
      )
    })
    const body: unknown = 'body' in request ? request.body : undefined
    return body instanceof Uint8Array ? new Uint8Array(body) : new Uint8Array()
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 413
}

function tooLarge(longest: number, cause?: unknown): HttpError {
  return new HttpError(413, `The body is larger than ${longest} bytes.`, { cause })
}
