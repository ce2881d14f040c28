import { Busboy } from '@fastify/busboy'
import { HttpError } from 'upkeep'
import { parseJson } from './parse-json.ts'

/** The members of a message that a form of several parts may have: as text, or as JSON in one. */
const textMembers = ['text', 'username', 'channel', 'icon_url', 'icon_emoji']
const jsonMembers = ['attachments', 'props']
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns the JSON in the field `payload` of a form (`application/x-www-form-urlencoded`), as bytes.
 *
 * @throws HttpError 400 if the field is absent, occurs twice or is not valid UTF-8.
 */
export function payloadOfForm(body: Uint8Array): Uint8Array {
  const fields = Buffer.from(body).toString('latin1').split('&')
  const payloads = fields.filter((field) => field.startsWith('payload='))
  if (payloads.length !== 1 || payloads[0] === undefined) throw oneOf('payload', payloads.length)
  return unescapeBytes(payloads[0].slice('payload='.length))
}

/** Decodes percent escapes and plus signs byte by byte, so that invalid UTF-8 stays as it is and is found later. */
function unescapeBytes(text: string): Uint8Array {
  return Buffer.from(
    text
      .replaceAll('+', ' ')
      .replaceAll(/%([\da-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  )
}

/**
 * Returns the message in a form of type `multipart/form-data`: the JSON in its part `payload`, or an object of its
 * other parts. `text`, `username`, `channel`, `icon_url` and `icon_emoji` are text; `attachments` and `props` are JSON.
 * Unknown parts are ignored.
 *
 * @throws HttpError 400 if the form is invalid or has a part twice.
 */
export async function parseMultipart(body: Uint8Array, contentType: string): Promise<unknown> {
  requireUtf8(body)
  const parts = await readParts(body, contentType)
  const payload = only(parts, 'payload')
  if (payload !== undefined) return parseJson(Buffer.from(payload))
  const memberOf = (name: string, parse: (text: string) => unknown) => {
    const text = only(parts, name)
    return text === undefined ? [] : [[name, parse(text)] as const]
  }
  return Object.fromEntries([
    ...textMembers.flatMap((name) => memberOf(name, (text) => text)),
    ...jsonMembers.flatMap((name) => memberOf(name, (text) => parseJsonPart(name, text))),
  ])
}

function parseJsonPart(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch (cause) {
    throw new HttpError(400, `The part "${name}" must be valid JSON.`, { cause })
  }
}

/** A part by its name; `undefined` for the text of one that is a file. */
type Part = readonly [name: string, text: string | undefined]

function readParts(body: Uint8Array, contentType: string): Promise<readonly Part[]> {
  const parts: Part[] = []
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown) =>
      reject(new HttpError(400, 'The body must be the multipart form that its Content-Type declares.', { cause }))
    try {
      // The body is within its limit already.
      const limits = { fieldSize: body.length + 1, fields: 1_000, parts: 1_000 }
      const reader = new Busboy({ headers: { 'content-type': contentType }, limits })
      reader.on('field', (name, text) => parts.push([name, text]))
      reader.on('file', (name, stream) => {
        parts.push([name, undefined])
        stream.resume()
      })
      reader.on('error', refuse)
      reader.on('finish', () => resolve(parts))
      reader.end(body)
    } catch (error) {
      refuse(error)
    }
  })
}

/** Returns the text of the part of a name, or `undefined` if it is absent. */
function only(parts: readonly Part[], name: string): string | undefined {
  const found = parts.filter(([each]) => each === name)
  if (found.length > 1) throw oneOf(name, found.length)
  const [part] = found
  if (part === undefined) return undefined
  const [, text] = part
  if (text === undefined) throw new HttpError(400, `The part "${name}" must be text, not a file.`)
  return text
}

function requireUtf8(body: Uint8Array): void {
  try {
    utf8.decode(body)
  } catch (cause) {
    throw new HttpError(400, 'The body is not valid UTF-8.', { cause })
  }
}

function oneOf(name: string, found: number): HttpError {
  const times = found === 0 ? 'not at all' : `${found} times`
  return new HttpError(400, `The form must have the field "${name}" once; it has it ${times}.`)
}
