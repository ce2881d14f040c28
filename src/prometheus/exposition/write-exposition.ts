import type { MeterId, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { type ExportedName, exportedName, namesTakenBy } from '../naming.ts'
import type { ByteChunks } from './byte-chunks.ts'
import { TakenSeries } from './distinct-series.ts'
import { distributionFamily, gaugeDistributionFamily } from './distribution-family.ts'
import type { ExpositionFormat } from './exposition-format.ts'
import type { Family, FamilyContext } from './family-writer.ts'
import { createTakenNames, type ReportConflict } from './name-conflict.ts'
import { counterFamily, gaugeFamily, infoFamily } from './single-value-family.ts'

export interface ExpositionOptions {
  /** Exported names; a family that has one of them is written, any other is not. All are, without this. */
  readonly names?: ReadonlySet<string> | undefined
  readonly onConflict?: ReportConflict | undefined
}

/** The series that are read at once: so few that even those with hundreds of buckets are no long piece of work. */
const sliceSize = 64

/**
 * Writes every series of the source in the given format; returns how many series that were. Yields after each small
 * piece of work, so that whoever drives it can let others have their turn; a series is always written whole.
 */
export function* writeExposition(
  source: SnapshotSource,
  format: ExpositionFormat,
  out: ByteChunks,
  { names, onConflict = () => {} }: ExpositionOptions = {},
): Generator<undefined, number> {
  const takenNames = createTakenNames(format, onConflict)
  let open: OpenFamily | undefined
  let written = 0
  for (const slice of source.slices(sliceSize)) {
    const [first] = slice
    if (first === undefined) continue
    if (open === undefined || !continues(open, first)) {
      if (open !== undefined) yield* closeFamily(open)
      const exported = exportedName(first.kind, first.id)
      const context = { exported, format, out, help: helpOf(first.id, exported) }
      const wanted = takenNames.take(exported, first.id) && isSelected(exported, names)
      const family = wanted ? openFamily(context, slice) : undefined
      open = { first, context, family, series: new TakenSeries(exported, onConflict) }
    }
    const { family, series } = open
    if (family !== undefined) {
      const texts = series.takePlain(slice) ?? (yield* series.takeOwned(slice, membersOf(source, open)))
      written += family.write(slice, texts)
    }
    yield
  }
  if (open !== undefined) yield* closeFamily(open)
  out.write(format.end)
  return written
}

/** A family whose series are being written; `family` is `undefined` when they are passed over. */
interface OpenFamily {
  readonly first: MeterSnapshot
  readonly context: FamilyContext
  readonly family: Family | undefined
  readonly series: TakenSeries
}

/** Whether a series belongs to the open family: meters of one name that have one name outside too, whatever their kind. */
function continues({ first, context: { exported } }: OpenFamily, { id, kind }: MeterSnapshot): boolean {
  if (id.name !== first.id.name) return false
  if (kind === first.kind && id.baseUnit === first.id.baseUnit) return true
  const { type, name } = exportedName(kind, id)
  return type === exported.type && name === exported.name
}

/** Reads all series that belong to the open family. */
function membersOf(source: SnapshotSource, open: OpenFamily): () => Iterable<MeterSnapshot> {
  return function* () {
    for (const snapshot of source.snapshot(open.first.id.name)) if (continues(open, snapshot)) yield snapshot
  }
}

function openFamily(context: FamilyContext, first: readonly MeterSnapshot[]): Family {
  switch (context.exported.type) {
    case 'counter':
    case 'unknown':
      return counterFamily(context)
    case 'gauge':
      return gaugeFamily(context)
    case 'info':
      return infoFamily(context, first)
    case 'distribution':
      return distributionFamily(context, first)
    case 'gaugeDistribution':
      return gaugeDistributionFamily(context, first)
  }
}

function* closeFamily({ context, family }: OpenFamily): Generator<undefined, void> {
  for (const gauge of family?.beside ?? []) yield* gauge.write(context)
}

/** The description; without one, the name that the meter has in the code, since no help at all is a fault to `promtool`. */
function helpOf(id: MeterId, exported: ExportedName): string {
  return id.description?.trim() || id.name.trim() || exported.name
}

function isSelected(exported: ExportedName, names: ReadonlySet<string> | undefined): boolean {
  return names === undefined || namesTakenBy(exported).some((name) => names.has(name))
}
