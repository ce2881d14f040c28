import { failure } from '../../base/errors.ts'
import type { MeterId, Tag } from '../../metrics/snapshot.ts'
import { cellCount, type GaugeRule, type SeriesDefinition, type SeriesKind } from '../series-definition.ts'
import { limits } from './file-layout.ts'

/** In the order of their numbers in a file. */
const kinds: readonly SeriesKind[] = ['counter', 'gauge', 'functionTimer', 'timer', 'summary', 'longTaskTimer']
const removal = 255
/** In the order of their numbers in a file; 0 stands for none. */
const rules: readonly (GaugeRule | undefined)[] = [undefined, 'sum', 'max', 'min', 'last', 'each']
/**
 * A record begins, with as many bytes, with its length (4), the index of the series (4), its creation (8), its kind
 * (1), the rule of a gauge (1), zeros (2). The number of exponential buckets plus 1 (4), which is 0 without, and the
 * length of the id (4) are next. The id and the bounds follow, as JSON.
 */
const fixedBytes = 28

/** A definition at an index, or the removal of the one there. */
interface DefinitionRecord {
  readonly index: number
  readonly definition: SeriesDefinition | undefined
}

/** Returns the bytes of a record; `undefined` if the definition exceeds the limits or is invalid. */
export function encodeDefinition(index: number, definition: SeriesDefinition): Buffer | undefined {
  const { kind, id, created, bounds = [], exponentialBuckets, rule } = definition
  if (!isValid(definition) || !isValidId(id)) return undefined
  const { name, description = null, baseUnit = null, verbatim = false } = id
  const tags = id.tags.flatMap(({ key, value }) => [key, value])
  const idText = JSON.stringify([name, description, baseUnit, verbatim, ...tags])
  const boundsText = bounds.length === 0 ? '' : JSON.stringify(bounds)
  const idLength = Buffer.byteLength(idText)
  const length = fixedBytes + idLength + boundsText.length
  if (length > limits.recordBytes) return undefined
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32LE(length, 0)
  bytes.writeUInt32LE(index, 4)
  bytes.writeDoubleLE(created, 8)
  bytes.writeUInt8(kinds.indexOf(kind), 16)
  bytes.writeUInt8(rules.indexOf(rule), 17)
  bytes.writeUInt32LE(exponentialBuckets === undefined ? 0 : exponentialBuckets + 1, 20)
  bytes.writeUInt32LE(idLength, 24)
  bytes.write(idText, fixedBytes)
  bytes.write(boundsText, fixedBytes + idLength, 'latin1')
  return bytes
}

export function encodeRemoval(index: number): Buffer {
  const bytes = Buffer.alloc(fixedBytes)
  bytes.writeUInt32LE(fixedBytes, 0)
  bytes.writeUInt32LE(index, 4)
  bytes.writeUInt8(removal, 16)
  return bytes
}

/** Returns the positions of the records of intact bytes, each with the index of its series. */
export function* recordsIn(bytes: Buffer): Generator<RecordPosition> {
  for (let start = 0; start < bytes.length; ) {
    const end = start + bytes.readUInt32LE(start)
    yield { start, end, index: bytes.readUInt32LE(start + 4), isRemoval: bytes.readUInt8(start + 16) === removal }
    start = end
  }
}

interface RecordPosition {
  readonly start: number
  readonly end: number
  readonly index: number
  readonly isRemoval: boolean
}

/**
 * Reads records. Equal ids and equal bounds of all members become the same objects, so that each is parsed once, and
 * what is derived from an id can be cached.
 */
export class DefinitionDecoder {
  readonly #ids = new Map<string, MeterId>()
  readonly #bounds = new Map<string, readonly number[]>()

  /** Reads the record at a position. Returns its end too. Throws an error with the reason if it is invalid. */
  decode(bytes: Buffer, start: number): DefinitionRecord & { readonly end: number } {
    const length = start + fixedBytes <= bytes.length ? bytes.readUInt32LE(start) : 0
    const end = start + length
    if (length < fixedBytes || length > limits.recordBytes || end > bytes.length)
      throw failure('UPKEEP_ECLUSTER', 'invalid definition')
    const index = bytes.readUInt32LE(start + 4)
    if (index >= limits.series) throw failure('UPKEEP_ECLUSTER', `more than ${limits.series} series`)
    const kindNumber = bytes.readUInt8(start + 16)
    if (kindNumber === removal) return { index, definition: undefined, end }
    const kind = kinds[kindNumber]
    const idEnd = start + fixedBytes + bytes.readUInt32LE(start + 24)
    if (kind === undefined || idEnd > end) throw failure('UPKEEP_ECLUSTER', 'invalid definition')
    const rule = rules[bytes.readUInt8(start + 17)]
    const buckets = bytes.readUInt32LE(start + 20)
    const definition: SeriesDefinition = {
      kind,
      id: this.#id(bytes.toString('utf8', start + fixedBytes, idEnd)),
      created: bytes.readDoubleLE(start + 8),
      ...(idEnd < end && { bounds: this.#boundsOf(bytes.toString('latin1', idEnd, end)) }),
      ...(buckets > 0 && { exponentialBuckets: buckets - 1 }),
      ...(rule && { rule }),
    }
    if (!isValid(definition)) throw failure('UPKEEP_ECLUSTER', 'invalid definition')
    return { index, definition, end }
  }

  /** Forgets what is not likely to be used again, if more than `count` definitions are known. */
  trim(count: number): void {
    if (this.#ids.size > count) this.#ids.clear()
    if (this.#bounds.size > count) this.#bounds.clear()
  }

  #id(text: string): MeterId {
    let id = this.#ids.get(text)
    if (id === undefined) {
      id = parseId(text)
      this.#ids.set(text, id)
    }
    return id
  }

  #boundsOf(text: string): readonly number[] {
    let bounds = this.#bounds.get(text)
    if (bounds === undefined) {
      const value: unknown = JSON.parse(text)
      if (!Array.isArray(value) || !isAscending(value)) throw failure('UPKEEP_ECLUSTER', 'invalid bounds')
      bounds = value
      this.#bounds.set(text, bounds)
    }
    return bounds
  }
}

function parseId(text: string): MeterId {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) throw failure('UPKEEP_ECLUSTER', 'invalid id')
  const [name, description, baseUnit, verbatim, ...texts]: unknown[] = value
  const tags: Tag[] = []
  for (let at = 0; at < texts.length; at += 2) {
    const [key, tagValue] = [texts[at], texts[at + 1]]
    if (typeof key !== 'string' || typeof tagValue !== 'string') throw failure('UPKEEP_ECLUSTER', 'invalid tags')
    tags.push({ key, value: tagValue })
  }
  if (typeof name !== 'string' || !isTextOrNull(description) || !isTextOrNull(baseUnit))
    throw failure('UPKEEP_ECLUSTER', 'invalid id')
  const id: MeterId = {
    name,
    tags,
    description: description ?? undefined,
    baseUnit: baseUnit ?? undefined,
    ...(verbatim === true && { verbatim }),
  }
  if (!isValidId(id)) throw failure('UPKEEP_ECLUSTER', 'invalid id')
  return id
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isValidId({ name, tags, description = '', baseUnit = '' }: MeterId): boolean {
  const isSorted = tags.every(({ key }, at) => at === 0 || (tags[at - 1]?.key ?? '') < key)
  return isSorted && [name, description, baseUnit, ...tags.flatMap(({ key, value }) => [key, value])].every(isShort)
}

function isShort(text: string): boolean {
  return text.length <= limits.text
}

function isValid(definition: SeriesDefinition): boolean {
  const { created, bounds = [], exponentialBuckets = 1 } = definition
  if (!Number.isFinite(created) || !Number.isInteger(exponentialBuckets) || exponentialBuckets < 1) return false
  return cellCount(definition) <= limits.cellsPerSeries && isAscending(bounds)
}

function isAscending(bounds: readonly unknown[]): bounds is number[] {
  return bounds.every((bound, at) => {
    const before = bounds[at - 1]
    return Number.isFinite(bound) && (at === 0 || Number(before) < Number(bound))
  })
}

/** How many are decoded between two pauses: about a millisecond. */
const slice = 500

/** The definitions of a file up to some byte. Never changes. */
export interface ReadDefinitions {
  readonly generation: string
  readonly series: readonly (SeriesDefinition | undefined)[]
  readonly places: readonly number[]
  /** The number of cells of all of them. */
  readonly cells: number
  readonly bytes: number
  readonly checksum: number
}

export function noDefinitions(generation: string): ReadDefinitions {
  return { generation, series: [], places: [], cells: 0, bytes: 0, checksum: 0 }
}

/** Returns definitions and those of the records that follow them. Throws an error with the reason if one is invalid. */
export function* extendDefinitions(
  before: ReadDefinitions,
  records: Buffer,
  checksum: number,
  decoder: DefinitionDecoder,
): Generator<undefined, ReadDefinitions> {
  if (records.length === 0) return before
  const series = before.series.slice()
  const places = before.places.slice()
  let { cells } = before
  let count = 0
  for (let start = 0; start < records.length; ) {
    const { index, definition, end } = decoder.decode(records, start)
    while (series.length <= index) {
      series.push(undefined)
      places.push(-1)
    }
    if (definition === undefined) {
      if (series[index] === undefined)
        throw failure('UPKEEP_ECLUSTER', `series ${index} is removed and was not defined`)
    } else {
      if (places[index] !== -1) throw failure('UPKEEP_ECLUSTER', `series ${index} is defined twice`)
      places[index] = cells
      cells += cellCount(definition)
    }
    series[index] = definition
    start = end
    count += 1
    if (count % slice === 0) yield
  }
  return { generation: before.generation, series, places, cells, bytes: before.bytes + records.length, checksum }
}
