import type { MeterId, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { type ExportedName, exportedName, namesTakenBy } from '../naming.ts'
import type { ExpositionFormat, ExpositionPage, FamilyWriter } from './exposition-format.ts'
import { createTakenNames, type ReportConflict } from './name-conflict.ts'

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
  const takenNames = createTakenNames(format.namesOf, onConflict)
  let open: OpenFamily | undefined
  let written = 0
  for (const slice of source.slices(sliceSize)) {
    const [first] = slice
    if (first === undefined) continue
    if (open === undefined || !continues(open, first)) {
      yield* close(open)
      const exported = exportedName(first.kind, first.id)
      const isWritten = takenNames.take(exported, first.id) && isSelected(exported, names)
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
