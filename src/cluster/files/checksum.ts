import * as zlib from 'node:zlib'

const crc32OfBytes: (bytes: Uint8Array, previous?: number) => number = zlib.crc32 ?? tableCrc32

/** Returns the CRC-32 of ISO 3309 of bytes that follow others, whose checksum is `previous`. */
export function crc32(bytes: Uint8Array, previous = 0): number {
  // zlib forgets the previous checksum where the bytes have no address.
  return bytes.length === 0 ? previous : crc32OfBytes(bytes, previous)
}

let table: Uint32Array | undefined

/** Like `zlib.crc32`, for runtimes without it. */
export function tableCrc32(bytes: Uint8Array, previous = 0): number {
  table ??= createTable()
  let crc = ~previous
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}

function createTable(): Uint32Array {
  const polynomial = 0xedb88320
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
    return crc
  })
}
