import { fstatSync } from 'node:fs'
import { failure } from '../../base/errors.ts'
import type { MemberImage, MemberState } from '../member-image.ts'
import { type DefinitionDecoder, extendDefinitions, noDefinitions, type ReadDefinitions } from './definition-log.ts'
import { decodeExemplars, exemplarBytes } from './exemplar-records.ts'
import { type FileAbout, parseAbout } from './file-about.ts'
import {
  crc32,
  decodeAbout,
  decodeHead,
  decodeHeader,
  decodeHeartbeat,
  type FileHeader,
  type HalfHead,
  layout,
  limits,
  startOfDefinitions,
  startOfHalf,
} from './file-layout.ts'
import { readBytes, withOwnFile } from './safe-files.ts'

/**
 * What is read of a file: everything, or only the time and the state of the member. The values are those of the last
 * complete reading then, or are read if there was none.
 */
export type ReadingDepth = 'values' | 'state'

/** What a file says. */
export interface FileReading {
  readonly about: FileAbout
  /** The latest heartbeat, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number
  /** `undefined` if they cannot be read. */
  readonly values: FileValues | undefined
  /** Why the values cannot be read, or are those of an earlier reading. */
  readonly reason: string | undefined
}

interface FileValues {
  readonly state: MemberState
  readonly image: MemberImage
}

/** How often a file is read again that is written while it is read. */
const attempts = 5

/** Reads a file again and again: only what is new. */
export class FileReader {
  readonly #path: string
  readonly #decoder: DefinitionDecoder
  #start: FileStart | undefined
  #definitions = noDefinitions('')
  #last: LastValues | undefined
  #time = 0

  constructor(path: string, decoder: DefinitionDecoder) {
    this.#path = path
    this.#decoder = decoder
  }

  /** The number of definitions that have been read. */
  get definitionCount(): number {
    return this.#definitions.series.length
  }

  /**
   * Returns `undefined` if there is no such file. A file that is refused has the values of the last reading; throws an
   * error with the reason if there are none.
   */
  *read(depth: ReadingDepth): Generator<undefined, FileReading | undefined> {
    try {
      return yield* this.#readNew(depth)
    } catch (error) {
      const values = this.#start && this.#lastOf(this.#start)
      if (this.#start === undefined || values === undefined) throw error
      const reason = error instanceof Error ? error.message : String(error)
      return { about: this.#start.about, time: this.#time, values, reason }
    }
  }

  *#readNew(depth: ReadingDepth): Generator<undefined, FileReading | undefined> {
    const pieces = withOwnFile(this.#path, limits.fileBytes, (fd) => this.#readPieces(fd, depth))
    if (pieces === undefined) return undefined
    const { start, time, half, state, reason } = pieces
    if (half !== undefined) {
      const { head, content, before, records } = half
      const definitions = yield* extendDefinitions(before, records, head.definitionChecksum, this.#decoder)
      if (head.cells !== definitions.cells)
        throw failure('UPKEEP_ECLUSTER', 'the number of values is not that of the series')
      // Someone else may have read the file further during a pause.
      if ((this.#lastOf(start)?.sequence ?? 0) < head.sequence) {
        this.#definitions = definitions
        this.#last = { lineage: start.lineage, sequence: head.sequence, ...valuesOf(head, content, definitions) }
      }
    }
    this.#time = time
    const values = this.#lastOf(start)
    return { about: start.about, time, values: state === undefined ? values : values && { ...values, state }, reason }
  }

  /** Reads all bytes that are needed, so that the file is not open during a pause. */
  #readPieces(fd: number, depth: ReadingDepth): FilePieces {
    for (let attempt = 1; ; attempt++) {
      const prefix = readBytes(fd, 0, layout.about)
      // Afterwards: the file may have grown before the prefix was read.
      const { size } = fstatSync(fd)
      const start = this.#readStart(fd, prefix)
      const { header } = start
      const last = this.#lastOf(start)
      const heartbeat = decodeHeartbeat(prefix) ?? 0
      if (header.version !== layout.version) {
        return { start, time: heartbeat, reason: `format version ${header.version}, expected ${layout.version}` }
      }
      if (size < startOfDefinitions(header)) throw failure('UPKEEP_ECLUSTER', `truncated: ${size} bytes`)
      for (const half of headsIn(prefix, header)) {
        const { head } = half
        const time = Math.max(heartbeat, head.time)
        if (head.sequence === last?.sequence) return { start, time }
        if (last !== undefined && head.sequence < last.sequence) break
        if (depth === 'state' && last !== undefined) return { start, time, state: head.state }
        const content = readContent(fd, header, half)
        if (content === undefined) continue
        return { start, time, half: { head, content, ...this.#readRecords(fd, start, head, size) } }
      }
      if (attempt < attempts) continue
      throw failure('UPKEEP_ECLUSTER', 'the checksum of the values does not match')
    }
  }

  #readStart(fd: number, prefix: Buffer): FileStart {
    const key = prefix.subarray(0, 44)
    if (this.#start?.key.equals(key)) return this.#start
    const header = decodeHeader(prefix)
    const about = parseAbout(decodeAbout(prefix, readBytes(fd, layout.about, header.aboutLength)))
    if (about === undefined) throw failure('UPKEEP_ECLUSTER', 'the header is invalid')
    const lineage = about.kind === 'member' ? about.identity.incarnation : about.generation
    this.#start = { key, header, about, lineage }
    return this.#start
  }

  /** Reads the records that have been added. Those before are as they were. */
  #readRecords(fd: number, { header, about }: FileStart, head: HalfHead, size: number): NewRecords {
    const isSame = this.#definitions.generation === about.generation
    const before = isSame ? this.#definitions : noDefinitions(about.generation)
    const position = startOfDefinitions(header) + before.bytes
    const length = head.definitionBytes - before.bytes
    if (length < 0 || position + length > size) throw failure('UPKEEP_ECLUSTER', `truncated: ${size} bytes`)
    const records = readBytes(fd, position, length)
    if (crc32(records, before.checksum) === head.definitionChecksum) return { before, records }
    throw failure('UPKEEP_ECLUSTER', 'the checksum of the definitions does not match')
  }

  /** Returns the last values, if they are of the same member. */
  #lastOf({ lineage }: FileStart): LastValues | undefined {
    return this.#last?.lineage === lineage ? this.#last : undefined
  }
}

interface FileStart {
  /** The bytes that change with `about`. */
  readonly key: Buffer
  readonly header: FileHeader
  readonly about: FileAbout
  /** What all files have in common whose sequences belong together. */
  readonly lineage: string
}

interface LastValues extends FileValues {
  readonly lineage: string
  readonly sequence: number
}

interface FilePieces {
  readonly start: FileStart
  readonly time: number
  /** What is newer than the last reading, if only that was read. */
  readonly state?: MemberState
  /** `undefined` if there is nothing new. */
  readonly half?: { readonly head: HalfHead; readonly content: Buffer } & NewRecords
  readonly reason?: string
}

interface NewRecords {
  readonly before: ReadDefinitions
  readonly records: Buffer
}

function valuesOf({ state, cells }: HalfHead, content: Buffer, definitions: ReadDefinitions): FileValues {
  const { generation, series, places } = definitions
  return {
    state,
    image: {
      generation,
      definitions: series,
      places,
      cells: new Float64Array(content.buffer, content.byteOffset, cells),
      exemplars: decodeExemplars(content.subarray(8 * cells)).filter((each) => each.series < series.length),
    },
  }
}

interface Half {
  readonly number: 0 | 1
  readonly head: HalfHead
}

/** Returns the halves whose heads are intact, the newer one first. Their contents may be damaged. */
function headsIn(prefix: Buffer, { halves }: FileHeader): readonly Half[] {
  const numbers = halves === 1 ? ([0] as const) : ([0, 1] as const)
  return numbers
    .flatMap((number) => {
      const head = decodeHead(prefix, number)
      return head !== undefined && Number.isSafeInteger(head.sequence) && head.sequence > 0 ? [{ number, head }] : []
    })
    .sort((a, b) => b.head.sequence - a.head.sequence)
}

/** Returns the values and exemplars of a half; `undefined` if they are not what was written. */
function readContent(fd: number, header: FileHeader, { number, head }: Half): Buffer | undefined {
  const length = 8 * head.cells + exemplarBytes * head.exemplars
  if (length > header.capacity || head.exemplars > limits.exemplars) return undefined
  const content = readBytes(fd, startOfHalf(header, number), length)
  return content.length === length && crc32(content) === head.contentChecksum ? content : undefined
}
