import { firstMembers } from '../fields/list.ts'
import type { MessageHeaders } from '../message.ts'
import { endable, type StreamedContent } from '../streamed-content.ts'
import { headerText } from './header-text.ts'
import { prefersGzip } from './preferred-offer.ts'

/** A content coding (RFC 9110 §8.4.1). */
export type ContentCoding = 'identity' | 'gzip'

/** Codings beyond this number are ignored. */
const maxCodings = 32

/** Returns the coding that the client prefers; `identity` if it sends no `Accept-Encoding` (RFC 9110 §12.5.3). */
export function preferredCoding(headers: MessageHeaders): ContentCoding {
  const accepted = headerText(headers, 'accept-encoding')
  if (accepted === undefined) return 'identity'
  return prefersGzip(firstMembers(accepted, maxCodings)) ? 'gzip' : 'identity'
}

/**
 * Compresses content as it streams, off the event loop; its creation stops when the reader stops. Level 1 compresses a
 * page of meters to a sixteenth; level 6, zlib's default, takes twice as long for a twentieth.
 */
export function gzipped(content: AsyncIterable<Uint8Array>): StreamedContent {
  const { createGzip } = process.getBuiltinModule('node:zlib')
  const { pipeline } = process.getBuiltinModule('node:stream')
  // The reader receives errors.
  const compressed = pipeline(content, createGzip({ level: 1, chunkSize: 65_536 }), () => {})
  const chunks: AsyncIterator<Uint8Array> = compressed[Symbol.asyncIterator]()
  const end = async (): Promise<void> => {
    compressed.destroy()
  }
  return { [Symbol.asyncIterator]: () => endable(() => chunks.next(), end) }
}
