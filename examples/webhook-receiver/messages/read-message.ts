import { MIMEType } from 'node:util'
import express, { type Request, type Response } from 'express'
import { HttpError } from 'upkeep'
import { parseJson } from './parse-json.ts'
import { type Message, parseMessage } from './parse-message.ts'

/** In bytes, after decompression. */
const longestBody = 65_536

const readBytes = express.raw({ type: () => true, limit: longestBody })

/**
 * Reads the message that a request carries.
 *
 * @throws HttpError 400, 413 or 415.
 */
export async function readMessage(request: Request, response: Response): Promise<Message> {
  requireJson(request.headers['content-type'])
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(nameLimit(error))))
  })
  const bytes: unknown = request.body
  return parseMessage(parseJson(bytes instanceof Uint8Array ? bytes : new Uint8Array()))
}

function nameLimit(error: unknown): unknown {
  const tooLarge = error instanceof Error && 'status' in error && error.status === 413
  return tooLarge ? new HttpError(413, `The body is larger than ${longestBody} bytes.`, { cause: error }) : error
}

function requireJson(contentType: string | undefined): void {
  const type = parseMediaType(contentType)
  const charset = type?.params.get('charset')?.toLowerCase()
  if (type?.essence === 'application/json' && (charset === undefined || charset === 'utf-8')) return
  throw new HttpError(415, 'The Content-Type must be application/json, in UTF-8.', {
    headers: { Accept: 'application/json' },
  })
}

function parseMediaType(text: string | undefined): MIMEType | undefined {
  try {
    return text === undefined ? undefined : new MIMEType(text)
  } catch {
    return undefined
  }
}
