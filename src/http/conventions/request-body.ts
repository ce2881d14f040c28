import { HttpError } from '../errors/http-error.ts'
import type { ManagementRequest, MessageBody } from '../message.ts'
import { headerText } from './header-text.ts'
import { parseJson } from './json-text.ts'
import { requestTypeOf } from './request-type.ts'

/** How a JSON body is read. */
export interface JsonBodyOptions {
  /** The largest body that is read, in bytes. @default 65536 */
  readonly limitBytes?: number
  /** The media types that are taken for JSON. @default ['application/json'] */
  readonly mediaTypes?: readonly string[]
  /** How deep it may nest. @default 64 */
  readonly maxDepth?: number
}

/** A body that is read whole: its bytes, or the value that a body parser in front has made of them. */
export type WholeBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'parsed'; readonly value: unknown }

/**
 * The JSON value of a request's body.
 *
 * @throws HttpError 415 for another media type, charset or a content coding, 413 over the limit, 400 for what breaks
 * off,
 *   is no UTF-8, no JSON, nests too deep or has a name twice in one object.
 */
export async function readJsonBody(
  request: ManagementRequest,
  { limitBytes = 65_536, mediaTypes = ['application/json'], maxDepth }: JsonBodyOptions = {},
): Promise<unknown> {
  requestTypeOf(request.headers, mediaTypes)
  const body = await readBody(request, limitBytes)
  return body.kind === 'parsed' ? body.value : parseJson(body.bytes, { maxDepth })
}

/**
 * A request's body, read to its end.
 *
 * @throws HttpError 413 over the limit, 400 for what breaks off.
 */
export async function readBody(request: ManagementRequest, limitBytes: number): Promise<WholeBody> {
  checkLength(headerText(request.headers, 'content-length'), limitBytes)
  const body = request.body()
  return body.kind === 'parsed' ? body : { kind: 'bytes', bytes: await readBytes(body, limitBytes) }
}

function checkLength(contentLength: string | undefined, limitBytes: number): void {
  if (contentLength !== undefined && Number(contentLength) > limitBytes) throw tooLarge(limitBytes)
}

async function readBytes({ bytes }: MessageBody & { kind: 'bytes' }, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Taken by hand: a loop that is left early ends the stream, and with it the connection that the 413 has to go out by.
  const iterator = bytes[Symbol.asyncIterator]()
  for (let chunk = await nextChunk(iterator); chunk !== undefined; chunk = await nextChunk(iterator)) {
    length += chunk.byteLength
    if (length > limitBytes) {
      void discard(iterator)
      throw tooLarge(limitBytes)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

async function nextChunk(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await iterator.next()
    return done === true ? undefined : value
  } catch (cause) {
    throw new HttpError(400, 'The body is incomplete.', { cause })
  }
}

/** Reads on and keeps nothing: the next request of the connection stands behind this body. */
async function discard(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  while ((await nextChunk(iterator).catch(() => undefined)) !== undefined);
}

function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The body must not be longer than ${limitBytes} bytes.`)
}
