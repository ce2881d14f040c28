import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { failure } from '../../base/errors.ts'
import type { BaseContent, MemberState } from '../member-image.ts'
import { encodeDefinition } from './definition-log.ts'
import { encodeExemplars, exemplarBytes } from './exemplar-records.ts'
import type { FoldedMember } from './file-about.ts'
import {
  crc32,
  encodeHead,
  encodeHeader,
  encodeHeartbeat,
  type FileHeader,
  type HalfHead,
  layout,
  limits,
  startOfDefinitions,
  startOfHalf,
} from './file-layout.ts'
import { createUnfinished, finish, readBytes, writeAll } from './safe-files.ts'

/** What a half contains. */
export interface FileContent {
  readonly cells: Float64Array
  /** Records of exemplars. */
  readonly exemplars: Uint8Array
  readonly state: MemberState
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number
}

/** A file of this member: one half is written after the other, so that the one written last is always intact. */
export class ContentFile {
  readonly path: string
  #fd: number
  #header: FileHeader
  #head: HalfHead

  constructor(path: string, about: unknown, content: FileContent) {
    this.path = path
    const file = createFile(path, about, content, Buffer.alloc(0), 1)
    this.#fd = file.fd
    this.#header = file.header
    this.#head = file.head
  }

  /** The head of the half that was written last. */
  get head(): HalfHead {
    return this.#head
  }

  get capacity(): number {
    return this.#header.capacity
  }

  /** Returns whether someone has removed the file, or put another one in its place. */
  isRemoved(): boolean {
    return fstatSync(this.#fd).nlink === 0
  }

  /** Writes the older half, after definitions that are new. The other half stays as it is. */
  write(content: FileContent, newDefinitions: Uint8Array): void {
    const { definitionBytes, definitionChecksum, sequence: previous } = this.#head
    const [sequence, cells] = [previous + 1, bytesOf(content.cells)]
    const half = halfOf(sequence)
    const start = startOfHalf(this.#header, half)
    writeAll(this.#fd, newDefinitions, startOfDefinitions(this.#header) + definitionBytes)
    writeAll(this.#fd, cells, start)
    writeAll(this.#fd, content.exemplars, start + cells.length)
    const head = headOf(content, sequence, {
      definitionBytes: definitionBytes + newDefinitions.length,
      definitionChecksum: crc32(newDefinitions, definitionChecksum),
    })
    writeAll(this.#fd, encodeHead(head), layout.heads[half])
    this.#head = head
  }

  /** Writes a new file in place of the old one, with a larger capacity. */
  replace(about: unknown, content: FileContent, definitions: Uint8Array): void {
    const file = createFile(this.path, about, content, definitions, this.#head.sequence + 1)
    closeSync(this.#fd)
    this.#fd = file.fd
    this.#header = file.header
    this.#head = file.head
  }

  /** Returns the definitions in the file. */
  readDefinitions(): Buffer {
    const { definitionBytes, definitionChecksum } = this.#head
    const written = readBytes(this.#fd, startOfDefinitions(this.#header), definitionBytes)
    if (crc32(written) !== definitionChecksum)
      throw failure('UPKEEP_ECLUSTER', `${this.path}: damaged by another process`)
    return written
  }

  writeHeartbeat(time: number): void {
    writeAll(this.#fd, encodeHeartbeat(time), layout.heartbeat)
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** Returns a whole file with one half, which is never written again. */
function encodeFile(about: unknown, content: FileContent, definitions: Uint8Array): Buffer {
  return buildFile(about, content, definitions, { halves: 1, capacity: lengthOf(content), sequence: 1 }).bytes
}

/** Returns the number of bytes of a content. */
export function lengthOf({ cells, exemplars }: Pick<FileContent, 'cells' | 'exemplars'>): number {
  return cells.byteLength + exemplars.length
}

/** Returns the bytes of numbers. */
export function bytesOf(cells: Float64Array): Uint8Array {
  return new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength)
}

function createFile(path: string, about: unknown, content: FileContent, definitions: Uint8Array, sequence: number) {
  const capacity = Math.min(Math.max(8192, 2 ** Math.ceil(Math.log2(lengthOf(content)))), limits.contentBytes)
  const { bytes, header, head } = buildFile(about, content, definitions, { halves: 2, capacity, sequence })
  // All of it, the other half too: a full disk must be noticed here, not when that half is written.
  const file = createUnfinished(dirname(path), (fd) => writeAll(fd, bytes, 0))
  try {
    finish(file, path)
  } catch (error) {
    closeSync(file.fd)
    throw error
  }
  return { fd: file.fd, header, head }
}

interface Frame {
  readonly halves: number
  readonly capacity: number
  readonly sequence: number
}

function buildFile(about: unknown, content: FileContent, definitions: Uint8Array, frame: Frame) {
  const { halves, capacity, sequence } = frame
  const start = encodeHeader({ halves, capacity }, about)
  const header: FileHeader = { version: layout.version, halves, size: start.length, aboutLength: 0, capacity }
  const head = headOf(content, sequence, {
    definitionBytes: definitions.length,
    definitionChecksum: crc32(definitions),
  })
  const half = halves === 1 ? 0 : halfOf(sequence)
  const bytes = Buffer.alloc(startOfDefinitions(header) + definitions.length)
  bytes.set(start)
  bytes.set(encodeHeartbeat(content.time), layout.heartbeat)
  bytes.set(encodeHead(head), layout.heads[half])
  bytes.set(bytesOf(content.cells), startOfHalf(header, half))
  bytes.set(content.exemplars, startOfHalf(header, half) + content.cells.byteLength)
  bytes.set(definitions, startOfDefinitions(header))
  return { bytes, header, head }
}

function headOf(
  { cells, exemplars, state, time }: FileContent,
  sequence: number,
  definitions: Pick<HalfHead, 'definitionBytes' | 'definitionChecksum'>,
): HalfHead {
  return {
    sequence,
    time,
    ...definitions,
    cells: cells.length,
    exemplars: exemplars.length / exemplarBytes,
    state,
    contentChecksum: crc32(exemplars, crc32(bytesOf(cells))),
  }
}

function halfOf(sequence: number): 0 | 1 {
  return sequence % 2 === 0 ? 0 : 1
}

export const baseName = 'base'

/** Returns the file of the values of ended members. Throws if they exceed what a file may hold. */
export function encodeBase(content: BaseContent, folded: readonly FoldedMember[], time: number): Buffer {
  const records = content.definitions.map((definition, index) => {
    const record = encodeDefinition(index, definition)
    if (record === undefined) throw failure('UPKEEP_ECLUSTER', `the series ${definition.id.name} cannot be written`)
    return record
  })
  const about = { generation: randomUUID(), folded }
  const state = { readiness: 'REFUSING_TRAFFIC', liveness: 'CORRECT', isFinal: true } as const
  const values = { cells: content.cells, exemplars: encodeExemplars(content.exemplars), state, time }
  return encodeFile(about, values, Buffer.concat(records))
}
