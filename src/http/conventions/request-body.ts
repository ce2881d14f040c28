import { HttpError } from '../errors/http-error.ts'
import type { ManagementRequest, MessageBody } from '../message.ts'
import { headerText } from './header-text.ts'
import { parseJson } from './json-text.ts'
import { requestTypeOf } from './request-type.ts'

/** Options for reading a JSON body. */
export interface JsonBodyOptions {
  /** Maximum size of a body, in bytes. @default 65536 */
  readonly limitBytes?: number
  /** The media types that are accepted as JSON. @default ['application/json'] */
  readonly mediaTypes?: readonly string[]
  /** Maximum nesting depth. @default 64 */
  readonly maxDepth?: number
}

/** A complete body: its bytes, or the value that an upstream body parser has created from them. */
export type WholeBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'parsed'; readonly value: unknown }

/**
 * Reads and parses a JSON body.
 *
 * @throws HttpError 415 for another media type or charset, or a content coding; 413 for a body over the limit; 400 for
 * an incomplete body, invalid UTF-8 or JSON, excessive depth, or duplicate names.
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
 * Reads and parses the JSON body of an operation that needs none; `undefined` if it is empty.
 *
 * @throws HttpError as `readJsonBody`, for a body that is not empty.
 */
export async function readOptionalJsonBody(
  request: ManagementRequest,
  options: JsonBodyOptions = {},
): Promise<unknown> {
  const { limitBytes = 65_536, mediaTypes = ['application/json'], maxDepth } = options
  // What a body parser returns for an empty body does not show that it was empty.
  if (headerText(request.headers, 'content-length')?.trim() === '0') return undefined
  const body = await readBody(request, limitBytes)
  if (body.kind === 'parsed' ? body.value === undefined : body.bytes.length === 0) return undefined
  requestTypeOf(request.headers, mediaTypes)
  return body.kind === 'parsed' ? body.value : parseJson(body.bytes, { maxDepth })
}

/**
 * Reads the complete body of a request.
 *
 * @throws HttpError 413 for a body over the limit, 400 for an incomplete one.
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
  // Iterated manually: leaving a `for await` loop early destroys the stream, and with it the connection for the 413.
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

/** Discards the rest of the body, since the next request on the connection follows it. */
async function discard(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  while ((await nextChunk(iterator).catch(() => undefined)) !== undefined);
}

function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The body must not be longer than ${limitBytes} bytes.`)
}
