import type {
  BucketsSnapshot,
  DistributionSnapshot,
  FunctionTimerSnapshot,
  MeterSnapshot,
} from '../../metrics/snapshot.ts'
import { boundTails, writeBucketLines } from './bucket-lines.ts'
import { formatBound, formatValue, isWritable } from './numbers.ts'
import { createdLine, type LineWriter, SideGauge, type TextFamily } from './text-family.ts'

type Distribution = DistributionSnapshot | FunctionTimerSnapshot

/**
 * Writes the header of a distribution's family and returns the writer of its series. The family is a histogram if one
 * of its first series has buckets, else a summary with the quantiles that there are.
 */
export function distributionFamily(context: TextFamily, first: readonly MeterSnapshot[]): LineWriter {
  const { exported, help, format, out } = context
  const { name, unit } = exported
  const histogram = first.some(hasBuckets)
  const writeDistribution = histogram ? histogramWriter(context) : summaryWriter(context)
  const sumName = `${name}_sum`
  const countName = `${name}_count`
  const createdName = `${name}_created`
  const max = new SideGauge(`${name}_max`)
  out.write(format.header({ name, type: histogram ? 'histogram' : 'summary', unit, help }))
  return {
    sideGauges: [max],
    write(slice, texts) {
      let written = 0
      for (let index = 0; index < slice.length; index++) {
        const snapshot = slice[index]
        const labels = texts[index]
        if (labels === undefined || !isDistribution(snapshot) || !isWritable(snapshot)) continue
        const count = writeDistribution(snapshot, labels)
        out.write(`${sumName}${labels}${formatValue(snapshot.total)}\n${countName}${labels}${count}\n`)
        if (format.created) out.write(createdLine(createdName, labels, snapshot.created))
        if (snapshot.kind !== 'functionTimer' && !Number.isNaN(snapshot.max)) max.add(labels, snapshot.max)
        written++
      }
      return written
    },
  }
}

/**
 * The same for running tasks: a summary, as Micrometer writes them, or a gauge histogram (OpenMetrics 1.0) if one of
 * the first series has buckets. In a format without gauge histograms, the count and sum of one are gauges of their own.
 */
export function gaugeDistributionFamily(context: TextFamily, first: readonly MeterSnapshot[]): LineWriter {
  const { exported, help, format, out } = context
  const { name, unit } = exported
  const histogram = first.some(hasBuckets)
  const isWhole = !histogram || format.gaugeHistograms
  const [countName, sumName] = histogram ? [`${name}_gcount`, `${name}_gsum`] : [`${name}_count`, `${name}_sum`]
  const writeBuckets = bucketsWriter(context)
  const count = new SideGauge(countName)
  const sum = new SideGauge(sumName)
  const max = new SideGauge(`${name}_max`)
  out.write(format.header({ name, type: histogram ? 'gaugehistogram' : 'summary', unit, help }))
  return {
    sideGauges: [count, sum, max],
    write(slice, texts) {
      let written = 0
      for (const [index, snapshot] of slice.entries()) {
        const labels = texts[index]
        if (labels === undefined || snapshot.kind !== 'longTaskTimer') continue
        const { activeTasks, duration, buckets } = snapshot
        if (!histogram && !isWritable({ count: activeTasks, total: duration })) continue
        const tasks = histogram ? writeBuckets(labels, buckets, activeTasks, noRemarks) : activeTasks
        if (isWhole) out.write(`${countName}${labels}${tasks}\n${sumName}${labels}${formatValue(duration)}\n`)
        else {
          count.add(labels, tasks)
          sum.add(labels, duration)
        }
        max.add(labels, snapshot.max)
        written++
      }
      return written
    },
  }
}

const noRemarks: readonly string[] = []
const onlyInfinity = /* @__PURE__ */ boundTails([])

type DistributionWriter = (snapshot: Distribution, labels: string) => number

function summaryWriter({ exported, out }: TextFamily): DistributionWriter {
  const startOf = labelStart(exported.name, 'quantile')
  return (snapshot, labels) => {
    const percentiles = snapshot.kind === 'functionTimer' ? undefined : snapshot.percentiles
    if (percentiles !== undefined) {
      const start = startOf(labels)
      for (const { quantile, value } of percentiles) {
        out.write(`${start}${formatBound(quantile)}"} ${formatValue(value)}\n`)
      }
    }
    return Math.floor(snapshot.count)
  }
}

function histogramWriter(context: TextFamily): DistributionWriter {
  const writeBuckets = bucketsWriter(context)
  const { exemplar } = context.format
  return (snapshot, labels) => {
    const count = Math.floor(snapshot.count)
    if (snapshot.kind === 'functionTimer') return writeBuckets(labels, undefined, count, noRemarks)
    const { buckets, exemplars } = snapshot
    return writeBuckets(labels, buckets, count, exemplars === undefined ? noRemarks : exemplars.map(exemplar))
  }
}

/**
 * Returns a function that writes all buckets of a series and returns the count. Without buckets only `+Inf` is written.
 */
function bucketsWriter({ exported, out }: TextFamily) {
  const startOf = labelStart(`${exported.name}_bucket`, 'le')
  let bounds: readonly number[] | undefined
  let tails = onlyInfinity
  return (labels: string, buckets: BucketsSnapshot | undefined, count: number, remarks: readonly string[]): number => {
    const start = startOf(labels)
    if (buckets === undefined) return writeBucketLines(out, start, onlyInfinity, [count], noRemarks)
    if (buckets.bounds !== bounds) {
      bounds = buckets.bounds
      tails = boundTails(bounds)
    }
    return writeBucketLines(out, start, tails, buckets.counts, remarks)
  }
}

/** Returns the start of lines with one more label than the series, up to the value of that label. */
function labelStart(sampleName: string, label: string): (labels: string) => string {
  const only = `${sampleName}{${label}="`
  const last = `,${label}="`
  return (labels) => (labels === ' ' ? only : sampleName + labels.slice(0, -2) + last)
}

function hasBuckets(snapshot: MeterSnapshot): boolean {
  return 'buckets' in snapshot && snapshot.buckets !== undefined
}

function isDistribution(snapshot: MeterSnapshot | undefined): snapshot is Distribution {
  return snapshot?.kind === 'timer' || snapshot?.kind === 'summary' || snapshot?.kind === 'functionTimer'
}
