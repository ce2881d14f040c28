import { cellCount, type SeriesDefinition } from '../series-definition.ts'
import { encodeDefinition, encodeRemoval, recordsIn } from './definition-log.ts'
import { exemplarBytes } from './exemplar-records.ts'
import { limits } from './file-layout.ts'

/** Definitions are written anew when more than this were removed, if that is more than half of them. */
const fewRemovals = 256

/** The series of this member, with places for their values, and what is not written of them yet. */
export class MemberSeries {
  cells: Float64Array = new Float64Array(1024)
  readonly definitions: (SeriesDefinition | undefined)[] = []
  /** Counts how often the definitions began anew. */
  generation = 0
  #places: number[] = []
  #usedCells = 0
  #removed: number[] = []
  /** Indices that were removed in an earlier generation. */
  #freeIndices: number[] = []
  #compactAt = fewRemovals
  #pending: Buffer[] = []
  #pendingBytes = 0
  #writtenBytes = 0

  /** The cells that belong to a series. */
  get used(): Float64Array {
    return this.cells.subarray(0, this.#usedCells)
  }

  get places(): readonly number[] {
    return this.#places
  }

  /** Whether there are definitions or removals that are not written yet. */
  get isPending(): boolean {
    return this.#pendingBytes > 0
  }

  define(definition: SeriesDefinition): number | undefined {
    const index = this.#freeIndices.at(-1) ?? this.definitions.length
    const record = encodeDefinition(index, definition)
    const end = this.#usedCells + cellCount(definition)
    if (record === undefined || !this.#hasRoom(index, end, record.length)) return undefined
    this.#freeIndices.pop()
    this.definitions[index] = definition
    this.#places[index] = this.#usedCells
    this.#usedCells = end
    this.#append(record)
    if (end > this.cells.length) this.cells = copyOf(this.cells, Math.max(end, 2 * this.cells.length))
    return index
  }

  remove(index: number): void {
    if (this.definitions[index] === undefined) return
    this.definitions[index] = undefined
    this.#removed.push(index)
    this.#append(encodeRemoval(index))
  }

  /** Returns the records that are not written yet. */
  pending(): Buffer {
    return Buffer.concat(this.#pending, this.#pendingBytes)
  }

  /** Called when all records are written; `bytes` is their length. */
  markWritten(bytes: number): void {
    this.#pending = []
    this.#pendingBytes = 0
    this.#writtenBytes = bytes
  }

  get isCompactionDue(): boolean {
    return this.#removed.length > this.#compactAt && 2 * this.#removed.length > this.definitions.length
  }

  /** Called when a compaction failed: it is tried again after twice as many removals. */
  delayCompaction(): void {
    this.#compactAt *= 2
  }

  /** Returns the series without those that were removed, as another object; `records` are all records so far. */
  compacted(records: Buffer): { readonly series: MemberSeries; readonly records: Buffer } {
    const series = new MemberSeries()
    series.cells = new Float64Array(this.cells.length)
    series.generation = this.generation + 1
    series.definitions.push(...this.definitions)
    series.#freeIndices = [...this.#freeIndices, ...this.#removed]
    series.#places = this.definitions.map(() => -1)
    const kept: Buffer[] = []
    for (const { start, end, index, isRemoval } of recordsIn(records)) {
      const definition = this.definitions[index]
      if (isRemoval || definition === undefined) continue
      const place = this.#places[index] ?? 0
      const count = cellCount(definition)
      series.cells.set(this.cells.subarray(place, place + count), series.#usedCells)
      series.#places[index] = series.#usedCells
      series.#usedCells += count
      kept.push(records.subarray(start, end))
    }
    return { series, records: Buffer.concat(kept) }
  }

  #hasRoom(index: number, cells: number, recordBytes: number): boolean {
    const definitionBytes = this.#writtenBytes + this.#pendingBytes + recordBytes
    const contentBytes = cells * 8 + limits.exemplars * exemplarBytes
    const isWithin = contentBytes <= limits.contentBytes && definitionBytes <= limits.definitionBytes
    return isWithin && index < limits.series
  }

  #append(record: Buffer): void {
    this.#pending.push(record)
    this.#pendingBytes += record.length
  }
}

function copyOf(cells: Float64Array, length: number): Float64Array {
  const copy = new Float64Array(length)
  copy.set(cells)
  return copy
}
