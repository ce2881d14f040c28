import * as zlib from 'node:zlib'
import { failure } from '../../base/errors.ts'
import type { MemberState } from '../member-image.ts'

/**
 * The layout of a file, in bytes, in the byte order of the machine's numbers where they are copied as they are:
 *
 * - 0: magic (8), version (4), number of halves (4), size of the header (4), length of `about` (4), capacity of a half
 *   (4), 12 bytes of zeros, checksum of all that and of `about` (4)
 * - 48: heartbeat: milliseconds since 1970 (8), checksum (4)
 * - 64 and 128: the heads of the two halves
 * - 256: `about`, as JSON: who wrote the file. This much stays the same in later versions.
 * - from the size of the header: the halves, each the cells, then the exemplars
 * - then the definitions
 */
export const layout = {
  magic: 'upkeepcl',
  version: 1,
  heartbeat: 48,
  heads: [64, 128],
  headLength: 64,
  about: 256,
} as const

const megabyte = 1024 * 1024

/** What a file may hold. A file beyond that is refused, so that reading costs no more. */
export const limits: Readonly<
  Record<'fileBytes' | 'headerBytes' | 'contentBytes' | 'definitionBytes' | 'recordBytes', number> &
    Record<'series' | 'cellsPerSeries' | 'text' | 'exemplars', number>
> = {
  fileBytes: 256 * megabyte,
  headerBytes: megabyte,
  contentBytes: 96 * megabyte,
  definitionBytes: 63 * megabyte,
  recordBytes: 4 * megabyte,
  series: 1_000_000,
  cellsPerSeries: 65_536,
  text: 65_536,
  exemplars: 1_024,
}

/** The first bytes of a file, without `about`. */
export interface FileHeader {
  readonly version: number
  readonly halves: number
  readonly size: number
  readonly aboutLength: number
  readonly capacity: number
}

/** The head of a half: what it contains, and what it presupposes. */
export interface HalfHead {
  /** Grows with each half that is written; 0 for one that was not. */
  readonly sequence: number
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number
  readonly definitionBytes: number
  readonly definitionChecksum: number
  readonly cells: number
  readonly exemplars: number
  readonly state: MemberState
  /** Of the cells and exemplars. */
  readonly contentChecksum: number
}

/** Returns the first part of a file, up to the halves. */
export function encodeHeader({ halves, capacity }: Pick<FileHeader, 'halves' | 'capacity'>, about: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(about))
  // A page, so that values and names share none.
  const size = Math.ceil((layout.about + text.length) / 4096) * 4096
  const bytes = Buffer.alloc(size)
  bytes.write(layout.magic, 'latin1')
  bytes.writeUInt32LE(layout.version, 8)
  bytes.writeUInt32LE(halves, 12)
  bytes.writeUInt32LE(size, 16)
  bytes.writeUInt32LE(text.length, 20)
  bytes.writeUInt32LE(capacity, 24)
  bytes.set(text, layout.about)
  bytes.writeUInt32LE(crc32(text, crc32(bytes.subarray(0, 40))), 40)
  return bytes
}

/** Reads the first bytes of a file. Throws an error with the reason if it is of another kind, or impossible. */
export function decodeHeader(prefix: Buffer): FileHeader {
  if (prefix.length < layout.about) throw failure('UPKEEP_ECLUSTER', `truncated: ${prefix.length} bytes`)
  if (prefix.toString('latin1', 0, 8) !== layout.magic) throw failure('UPKEEP_ECLUSTER', 'not a file of a cluster')
  const header = {
    version: prefix.readUInt32LE(8),
    halves: prefix.readUInt32LE(12),
    size: prefix.readUInt32LE(16),
    aboutLength: prefix.readUInt32LE(20),
    capacity: prefix.readUInt32LE(24),
  }
  if (header.size > limits.headerBytes || header.aboutLength > header.size - layout.about) {
    throw failure('UPKEEP_ECLUSTER', 'the header is damaged')
  }
  return header
}

/** Returns `about`. Throws if it is not what was written. */
export function decodeAbout(prefix: Buffer, text: Buffer): unknown {
  if (prefix.readUInt32LE(40) !== crc32(text, crc32(prefix.subarray(0, 40))))
    throw failure('UPKEEP_ECLUSTER', 'the header is damaged')
  return JSON.parse(text.toString())
}

export function startOfHalf({ size, capacity }: FileHeader, half: number): number {
  return size + half * capacity
}

export function startOfDefinitions({ size, capacity, halves }: FileHeader): number {
  return size + halves * capacity
}

/** Returns a head with its checksum. */
export function encodeHead(head: HalfHead): Buffer {
  const bytes = Buffer.alloc(layout.headLength)
  bytes.writeDoubleLE(head.sequence, 0)
  bytes.writeDoubleLE(head.time, 8)
  bytes.writeUInt32LE(head.definitionBytes, 16)
  bytes.writeUInt32LE(head.definitionChecksum, 20)
  bytes.writeUInt32LE(head.cells, 24)
  bytes.writeUInt32LE(head.exemplars, 28)
  bytes.writeUInt32LE(encodeState(head.state), 32)
  bytes.writeUInt32LE(head.contentChecksum, 36)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60)
  return bytes
}

/** Returns a head; `undefined` if it is not what was written. */
export function decodeHead(prefix: Buffer, half: 0 | 1): HalfHead | undefined {
  const bytes = prefix.subarray(layout.heads[half], layout.heads[half] + layout.headLength)
  if (bytes.readUInt32LE(60) !== crc32(bytes.subarray(0, 60))) return undefined
  return {
    sequence: bytes.readDoubleLE(0),
    time: bytes.readDoubleLE(8),
    definitionBytes: bytes.readUInt32LE(16),
    definitionChecksum: bytes.readUInt32LE(20),
    cells: bytes.readUInt32LE(24),
    exemplars: bytes.readUInt32LE(28),
    state: decodeState(bytes.readUInt32LE(32)),
    contentChecksum: bytes.readUInt32LE(36),
  }
}

export function encodeHeartbeat(time: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeDoubleLE(time, 0)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 8)), 8)
  return bytes
}

/** Returns the time of a heartbeat in milliseconds; `undefined` if it is damaged. */
export function decodeHeartbeat(prefix: Buffer): number | undefined {
  const bytes = prefix.subarray(layout.heartbeat, layout.heartbeat + 12)
  return bytes.readUInt32LE(8) === crc32(bytes.subarray(0, 8)) ? bytes.readDoubleLE(0) : undefined
}

function encodeState({ readiness, liveness, isFinal }: MemberState): number {
  return Number(readiness === 'REFUSING_TRAFFIC') | (Number(liveness === 'BROKEN') << 1) | (Number(isFinal) << 2)
}

function decodeState(bits: number): MemberState {
  return {
    readiness: bits & 1 ? 'REFUSING_TRAFFIC' : 'ACCEPTING_TRAFFIC',
    liveness: bits & 2 ? 'BROKEN' : 'CORRECT',
    isFinal: (bits & 4) !== 0,
  }
}

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
