import type { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type { DistributionSnapshot, FunctionTimerSnapshot, MeterSnapshot } from '../../../metrics/snapshot.ts'
import type { Family, FamilyWriter } from '../exposition.ts'
import { DistinctSeries } from '../name-conflict.ts'
import { isWritable } from '../numbers.ts'
import { HistogramWriter } from './histogram-writer.ts'
import { countOf, FamilyMessage, fields, type MetricWriter, metricTypes, numberOf, writeTimestamp } from './messages.ts'
import { type SliceLabels, sliceLabelsOf } from './slice-messages.ts'

/**
 * Returns the writer of a family of distributions. They are histograms if one of the first series has buckets, also
 * exponential ones; else summaries with the quantiles that there are.
 */
export function distributionFamily(out: MetricWriter, family: Family, first: readonly MeterSnapshot[]): FamilyWriter {
  const { name } = family.exported
  const isHistogram = first.some(hasBuckets)
  const histograms = new HistogramWriter(out)
  const max = new SideGauge(`${name}_max`)
  return metricFamily(out, family, isHistogram ? metricTypes.histogram : metricTypes.summary, [max], {
    isWritten: (snapshot) => isDistribution(snapshot) && isWritable(snapshot),
    write(snapshot, labels, index) {
      if (!isDistribution(snapshot)) return
      if (isHistogram) histograms.write(snapshot)
      else writeSummary(out, snapshot)
      if (snapshot.kind !== 'functionTimer' && !Number.isNaN(snapshot.max)) max.add(labels, index, snapshot.max)
    },
  })
}

/**
 * The same for running tasks: a summary, or gauge histograms if one of the first series has buckets. Then count and sum
 * are also gauges of their own, which have the names of the text formats.
 */
export function gaugeDistributionFamily(
  out: MetricWriter,
  family: Family,
  first: readonly MeterSnapshot[],
): FamilyWriter {
  return first.some(hasBuckets) ? gaugeHistogramFamily(out, family) : taskSummaryFamily(out, family)
}

function gaugeHistogramFamily(out: MetricWriter, family: Family): FamilyWriter {
  const { name } = family.exported
  const histograms = new HistogramWriter(out)
  const count = new SideGauge(`${name}_gcount`)
  const sum = new SideGauge(`${name}_gsum`)
  const max = new SideGauge(`${name}_max`)
  return metricFamily(out, family, metricTypes.gaugeHistogram, [count, sum, max], {
    isWritten: ({ kind }) => kind === 'longTaskTimer',
    write(snapshot, labels, index) {
      if (snapshot.kind !== 'longTaskTimer') return
      count.add(labels, index, histograms.writeTasks(snapshot))
      sum.add(labels, index, snapshot.duration)
      max.add(labels, index, snapshot.max)
    },
  })
}

function taskSummaryFamily(out: MetricWriter, family: Family): FamilyWriter {
  const max = new SideGauge(`${family.exported.name}_max`)
  return metricFamily(out, family, metricTypes.summary, [max], {
    isWritten: (snapshot) =>
      snapshot.kind === 'longTaskTimer' && isWritable({ count: snapshot.activeTasks, total: snapshot.duration }),
    write(snapshot, labels, index) {
      if (snapshot.kind !== 'longTaskTimer') return
      const summary = out.begin(fields.metric.summary)
      out.varint(fields.summary.sampleCount, countOf(snapshot.activeTasks))
      out.double(fields.summary.sampleSum, numberOf(snapshot.duration))
      out.end(summary)
      max.add(labels, index, snapshot.max)
    },
  })
}

interface ValueWriter {
  readonly isWritten: (snapshot: MeterSnapshot) => boolean
  /** Writes the value of a series, whose labels are written already. */
  readonly write: (snapshot: MeterSnapshot, labels: SliceLabels, index: number) => void
}

/** Of the length of a distribution, with its labels: it has 128 bytes or more. */
const lengthBytes = 2

function metricFamily(
  out: MetricWriter,
  { exported, help, onConflict }: Family,
  type: number,
  sideGauges: readonly SideGauge[],
  { isWritten, write }: ValueWriter,
): FamilyWriter {
  const family = new FamilyMessage(out, { name: exported.name, help, type, unit: exported.unit })
  const distinct = new DistinctSeries(exported, onConflict)
  return {
    *write(slice) {
      const labels = sliceLabelsOf(slice)
      const omitted = yield* distinct.duplicatesIn(slice, labels)
      let written = 0
      for (let index = 0; index < slice.length; index++) {
        const snapshot = slice[index] as MeterSnapshot
        if (omitted?.has(index) || !isWritten(snapshot)) continue
        written++
        family.begin()
        const metric = out.begin(fields.metricFamily.metric, lengthBytes)
        out.raw(labels.bytes, labels.starts[index], labels.starts[index + 1])
        write(snapshot, labels, index)
        out.end(metric, lengthBytes)
      }
      family.endIfLong()
      return written
    },
    *close() {
      family.end()
      for (const gauge of sideGauges) yield* gauge.write(out, help)
    },
  }
}

function writeSummary(out: MetricWriter, snapshot: DistributionSnapshot | FunctionTimerSnapshot): void {
  const summary = out.begin(fields.metric.summary)
  out.varint(fields.summary.sampleCount, countOf(snapshot.count))
  out.double(fields.summary.sampleSum, numberOf(snapshot.total))
  const percentiles = snapshot.kind === 'functionTimer' ? undefined : snapshot.percentiles
  for (const { quantile, value } of percentiles ?? []) {
    const token = out.begin(fields.summary.quantile)
    out.double(fields.quantile.quantile, quantile)
    out.double(fields.quantile.value, value)
    out.end(token)
  }
  writeTimestamp(out, fields.summary.createdTimestamp, snapshot.created)
  out.end(summary)
}

function hasBuckets(snapshot: MeterSnapshot): boolean {
  if ('exponential' in snapshot && snapshot.exponential !== undefined) return true
  return 'buckets' in snapshot && snapshot.buckets !== undefined
}

function isDistribution(snapshot: MeterSnapshot): snapshot is DistributionSnapshot | FunctionTimerSnapshot {
  return snapshot.kind === 'timer' || snapshot.kind === 'summary' || snapshot.kind === 'functionTimer'
}

/**
 * A family of gauges derived from another family, such as `_max`: its values are collected with that family's series,
 * and written after them.
 */
class SideGauge {
  readonly #name: string
  readonly #labels: SliceLabels[] = []
  readonly #indices: number[] = []
  readonly #values: number[] = []

  constructor(name: string) {
    this.#name = name
  }

  /** Adds the value of a series, which has the labels at the index. */
  add(labels: SliceLabels, index: number, value: number): void {
    this.#labels.push(labels)
    this.#indices.push(index)
    this.#values.push(value)
  }

  /** Writes the collected values. Yields now and then, so that the work can be spread. */
  *write(out: ProtobufWriter, help: string): Generator<undefined, void> {
    const family = new FamilyMessage(out, { name: this.#name, help, type: metricTypes.gauge, unit: undefined })
    for (const [at, { bytes, starts }] of this.#labels.entries()) {
      if (at % 64 === 63) {
        family.endIfLong()
        yield
      }
      family.begin()
      const index = this.#indices[at] as number
      const metric = out.begin(fields.metricFamily.metric)
      out.raw(bytes, starts[index], starts[index + 1])
      const gauge = out.begin(fields.metric.gauge)
      out.double(fields.value, numberOf(this.#values[at] as number))
      out.end(gauge)
      out.end(metric)
    }
    family.end()
  }
}
