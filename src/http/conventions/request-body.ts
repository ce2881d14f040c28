import { HttpError } from '../../errors/http-error.ts'
import { parseMediaType } from '../../fields/media-type.ts'
import type { ManagementRequest, MessageBody } from '../message.ts'
import { headerText } from './header-text.ts'

/** How a JSON body is read. */
export interface JsonBodyOptions {
  /** The largest body that is read, in bytes. @default 65536 */
  readonly limitBytes?: number
  /** The media types that are taken for JSON. @default ['application/json'] */
  readonly mediaTypes?: readonly string[]
}

/**
 * The JSON value of a request's body.
 *
 * @throws HttpError 415 for another media type or charset, 413 over the limit, 400 for what breaks off, is no UTF-8 or no
 *   JSON.
 */
export async function readJsonBody(
  request: ManagementRequest,
  { limitBytes = 65_536, mediaTypes = ['application/json'] }: JsonBodyOptions = {},
): Promise<unknown> {
  checkMediaType(headerText(request.headers, 'content-type'), mediaTypes)
  checkLength(headerText(request.headers, 'content-length'), limitBytes)
  const body = request.body()
  return body.kind === 'parsed' ? body.value : parseJson(await readBytes(body, limitBytes))
}

function checkMediaType(contentType: string | undefined, accepted: readonly string[]): void {
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType)
  const charset = mediaType?.parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  if (mediaType === undefined || !accepted.includes(mediaType.essence) || charset !== 'utf-8') {
    throw new HttpError(415, `The body must be ${accepted.join(' or ')} in UTF-8.`, {
      headers: { Accept: accepted.join(', ') },
    })
  }
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
    throw new HttpError(400, 'The body broke off.', { cause })
  }
}

/** Reads on and keeps nothing: the next request of the connection stands behind this body. */
async function discard(iterator: AsyncIterator<Uint8Array>): Promise<void> {
  while ((await nextChunk(iterator).catch(() => undefined)) !== undefined);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new HttpError(400, 'The body must be JSON in UTF-8.', { cause })
  }
}

function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The body must not be longer than ${limitBytes} bytes.`)
}
