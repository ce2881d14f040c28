import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { HttpError } from 'upkeep'
import { parseMultipart, payloadOfForm } from './parse-form.ts'
import { parseJson } from './parse-json.ts'
import { type Message, type MessageLimits, parseMessage } from './parse-message.ts'
import { createBodyReader, type ReadBody } from './read-body.ts'

export interface BodyLimits extends MessageLimits {
  /** In bytes, after decompression. */
  readonly longestBody: number
}

/**
 * Reads messages within limits: JSON, or a form that has the JSON in its field `payload`, as Mattermost accepts them.
 */
export function createMessageReader(limits: BodyLimits): {
  /** @throws HttpError 413 or 415. */
  readonly bytes: ReadBody
  /** @throws HttpError 400 that describes the error. */
  message(request: IncomingMessage, bytes: Uint8Array<ArrayBuffer>): Promise<Message>
} {
  const readBody = createBodyReader(limits.longestBody)
  return {
    async bytes(request, response) {
      typeOf(request)
      return readBody(request, response)
    },
    async message(request, bytes) {
      return parseMessage(await jsonOf(request, bytes), limits)
    },
  }
}

async function jsonOf(request: IncomingMessage, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  switch (typeOf(request)) {
    case json:
      return parseJson(bytes)
    case form:
      return parseJson(payloadOfForm(bytes))
    case multipart:
      return parseMultipart(bytes, request.headers['content-type'] ?? '')
  }
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'

/** A body without a type is parsed as JSON, as by Mattermost, because some senders omit it. */
function typeOf({ headers }: IncomingMessage): typeof json | typeof form | typeof multipart {
  const contentType = headers['content-type']
  if (contentType === undefined || contentType.trim() === '') return json
  const type = parseMediaType(contentType)
  const essence = [json, form, multipart] as const
  const found = essence.find((each) => each === type?.essence)
  if (found !== undefined && isUtf8(type?.params.get('charset'))) return found
  throw new HttpError(415, `The Content-Type must be ${json}, ${form} or ${multipart}, in UTF-8.`, {
    headers: { Accept: `${json}, ${form}, ${multipart}` },
  })
}

function isUtf8(charset: string | null | undefined): boolean {
  return charset === null || charset === undefined || /^utf-?8$/i.test(charset)
}

function parseMediaType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text)
  } catch {
    return undefined
  }
}
