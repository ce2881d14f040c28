import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { MeterId, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { type ExportedName, exportedName, namesTakenBy } from '../naming.ts'
import { createNameTaker, type ReportConflict } from './name-conflict.ts'

interface ExpositionOptions {
  /** Exported names: only families that have one of them are written. Default: all. */
  readonly names?: ReadonlySet<string> | undefined
  readonly onConflict?: ReportConflict | undefined
}

/** How many series are read at once: few enough that even series with hundreds of buckets are quickly written. */
const sliceSize = 64

/**
 * Writes every series of the source to a page of the format; returns the number of series. Yields after each small
 * piece of work, so that the caller can let other work run; never between two samples of one series.
 */
export function* writeExposition(
  source: SnapshotSource,
  format: ExpositionFormat,
  page: ExpositionPage,
  { names, onConflict = () => {} }: ExpositionOptions = {},
): Generator<undefined, number> {
  const takeNames = createNameTaker(format.namesOf, onConflict)
  let open: OpenFamily | undefined
  let written = 0
  for (const slice of source.slices(sliceSize)) {
    const [first] = slice
    if (first === undefined) continue
    if (open === undefined || !continues(open, first)) {
      yield* close(open)
      const exported = exportedName(first.kind, first.id)
      const isWritten = takeNames(exported, first.id) && isSelected(exported, names)
      const family = { exported, help: helpOf(first.id, exported), onConflict }
      open = { first, exported, writer: isWritten ? page.openFamily(family, slice) : undefined }
    }
    if (open.writer !== undefined) written += yield* open.writer.write(slice)
    yield
  }
  yield* close(open)
  page.close()
  return written
}

/** The family whose series are being read; without a `writer` they are skipped. */
interface OpenFamily {
  readonly first: MeterSnapshot
  readonly exported: ExportedName
  readonly writer: FamilyWriter | undefined
}

/** Whether a series belongs to the open family: it has the same name, and the same exported name and type. */
function continues({ first, exported }: OpenFamily, { id, kind }: MeterSnapshot): boolean {
  if (id.name !== first.id.name) return false
  if (kind === first.kind && id.baseUnit === first.id.baseUnit) return true
  const { type, name } = exportedName(kind, id)
  return type === exported.type && name === exported.name
}

function* close(open: OpenFamily | undefined): Generator<undefined, void> {
  if (open?.writer !== undefined) yield* open.writer.close()
}

/**
 * Returns the description, or else the name of the meter in the code: `promtool` reports families without a help text.
 */
function helpOf(id: MeterId, exported: ExportedName): string {
  return id.description?.trim() || id.name.trim() || exported.name
}

function isSelected(exported: ExportedName, names: ReadonlySet<string> | undefined): boolean {
  return names === undefined || namesTakenBy(exported).some((name) => names.has(name))
}

/** A format of the scrape. */
export interface ExpositionFormat {
  /** The media type with its parameters, for `Content-Type`. */
  readonly mediaType: string
  /** Returns every name that a family takes on a page: no other family there may have one of them. */
  readonly namesOf: (exported: ExportedName) => readonly string[]
  /** Creates an empty page. */
  readonly createPage: () => MaybePromise<ExpositionPage>
}

/** A page that is being written. */
export interface ExpositionPage {
  /** Begins the next family, of which the first series are given. The previous one is closed. */
  openFamily(family: Family, first: readonly MeterSnapshot[]): FamilyWriter
  /** Writes what follows the last family. */
  close(): void
  /** The number of bytes that can be taken before the page is closed; 0 until there are enough for a chunk. */
  readonly full: number
  /** Removes and returns these bytes in chunks; with `rest`, all that is left. */
  take(rest: boolean): readonly Uint8Array[]
  /** Reuses the memory of a chunk: new memory for each takes the system and the garbage collector longer. */
  reuse(chunk: Uint8Array): void
}

/** The series of one exported name. */
export interface Family {
  readonly exported: ExportedName
  readonly help: string
  /** Called for each series that is omitted because an earlier one has its labels. */
  readonly onConflict: ReportConflict
}

/** Writes the series of one family. Both functions yield now and then, so that the work can be spread. */
export interface FamilyWriter {
  /**
   * Writes the next series. One with a value that the format does not allow, such as a counter that is NaN, is omitted.
   * Returns how many were written.
   */
  write(slice: readonly MeterSnapshot[]): Generator<undefined, number>
  /** Writes the families that are derived from this one, such as its maxima. */
  close(): Iterable<undefined>
}
