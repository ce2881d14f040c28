import { MIMEType } from 'node:util'
import express, { type Request, type Response } from 'express'
import { HttpError } from 'upkeep'
import { parseJson } from './parse-json.ts'
import { type Message, parseMessage } from './parse-message.ts'

/** A body may be this many bytes long, after decompression. */
export const longestBody = 65_536

const readBytes = express.raw({ type: () => true, limit: longestBody })

/**
 * Reads the message that a request carries.
 *
 * @throws HttpError 400, 413 or 415.
 */
export async function readMessage(request: Request, response: Response): Promise<Message> {
  requireJson(request.headers['content-type'])
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)))
  })
  const bytes: unknown = request.body
  return parseMessage(parseJson(bytes instanceof Uint8Array ? bytes : new Uint8Array()))
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
