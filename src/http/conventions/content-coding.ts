import Negotiator from 'negotiator'
import { firstMembers } from '../fields/list.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/** How content goes over the wire: as it is, or smaller (RFC 9110 §8.4.1). */
export type ContentCoding = 'identity' | 'gzip'

/** Further codings are ignored. */
const maxCodings = 32

/** The coding that the client asks for; without being asked nothing is coded (RFC 9110 §12.5.3). */
export function preferredCoding(headers: MessageHeaders): ContentCoding {
  const accepted = headerText(headers, 'accept-encoding')
  if (accepted === undefined) return 'identity'
  const considered = { 'accept-encoding': firstMembers(accepted, maxCodings) }
  const preferred = new Negotiator({ headers: considered }).encoding(['gzip', 'identity'])
  return preferred === 'gzip' ? 'gzip' : 'identity'
}

/**
 * Codes content as it streams, off the event loop; whoever stops reading stops what makes it. At the first level, which
 * leaves a sixteenth of a page of meters; the sixth, zlib's own choice, takes twice as long to leave a twentieth.
 */
export function gzipped(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const { createGzip } = process.getBuiltinModule('node:zlib')
  const { pipeline } = process.getBuiltinModule('node:stream')
  // What fails is told to whoever reads.
  return pipeline(content, createGzip({ level: 1, chunkSize: 65_536 }), () => {})
}
