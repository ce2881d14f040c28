import type { MeterId, MeterSnapshot, SnapshotSource } from '../../metrics/snapshot.ts'
import { type ExportedName, exportedName, namesTakenBy } from '../naming.ts'
import type { ByteChunks } from './byte-chunks.ts'
import { DistinctSeries } from './distinct-series.ts'
import { distributionFamily, gaugeDistributionFamily } from './distribution-family.ts'
import type { ExpositionFormat } from './exposition-format.ts'
import type { FamilyContext, FamilyWriter } from './family-writer.ts'
import { createTakenNames, type ReportConflict } from './name-conflict.ts'
import { counterFamily, gaugeFamily, infoFamily } from './single-value-family.ts'

interface ExpositionOptions {
  /** Exported names: only families that have one of them are written. Default: all. */
  readonly names?: ReadonlySet<string> | undefined
  readonly onConflict?: ReportConflict | undefined
}

/** How many series are read at once: few enough that even series with hundreds of buckets are quickly written. */
const sliceSize = 64

/**
 * Writes every series of the source in the given format; returns the number of series. Yields after each small piece of
 * work, so that the caller can let other work run; never between two samples of one series.
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
      const isWritten = takenNames.take(exported, first.id) && isSelected(exported, names)
      const writer = isWritten ? openFamily(context, slice) : undefined
      open = { first, context, writer, series: new DistinctSeries(exported, onConflict) }
    }
    const { writer, series } = open
    if (writer !== undefined) written += writer.write(slice, yield* series.textsOf(slice))
    yield
  }
  if (open !== undefined) yield* closeFamily(open)
  out.write(format.end)
  return written
}

/** The family whose series are being read; without a `writer` they are skipped. */
interface OpenFamily {
  readonly first: MeterSnapshot
  readonly context: FamilyContext
  readonly writer: FamilyWriter | undefined
  readonly series: DistinctSeries
}

/** Whether a series belongs to the open family: it has the same name, and the same exported name and type. */
function continues({ first, context: { exported } }: OpenFamily, { id, kind }: MeterSnapshot): boolean {
  if (id.name !== first.id.name) return false
  if (kind === first.kind && id.baseUnit === first.id.baseUnit) return true
  const { type, name } = exportedName(kind, id)
  return type === exported.type && name === exported.name
}

function openFamily(context: FamilyContext, first: readonly MeterSnapshot[]): FamilyWriter {
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

function* closeFamily({ context, writer }: OpenFamily): Generator<undefined, void> {
  for (const gauge of writer?.sideGauges ?? []) yield* gauge.write(context)
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
