import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { MeterSnapshot } from '../../metrics/snapshot.ts'
import type { ExportedName } from '../naming.ts'
import type { ReportConflict } from './name-conflict.ts'

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
