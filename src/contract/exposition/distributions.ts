import type { Family } from './page.ts'
import { type Sample, seriesOf } from './sample.ts'

/** Returns the faults in the buckets, quantiles and counts of a family. */
export function distributionFaults({ name, type, samples }: Family): readonly string[] {
  if (type === 'histogram') return histogramFaults(name, samples)
  if (type === 'summary') return summaryFaults(name, samples)
  return []
}

function histogramFaults(name: string, samples: readonly Sample[]): readonly string[] {
  const faults: string[] = []
  const buckets = new Map<string, Sample[]>()
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const id = seriesOf({ ...sample, name }, 'le')
    buckets.set(id, [...(buckets.get(id) ?? []), sample])
  }
  const counts = new Map(
    samples.filter((sample) => sample.name === `${name}_count`).map((one) => [seriesOf({ ...one, name }), one.value]),
  )
  for (const [id, ladder] of buckets) {
    let [bound, count] = [Number.NEGATIVE_INFINITY, 0]
    for (const { labels, value } of ladder) {
      const le = Number((labels.get('le') ?? 'NaN').replace('Inf', 'Infinity'))
      if (!(le > bound)) faults.push(`${id}: the bucket ${labels.get('le')} is not above the previous one`)
      if (!(value >= count))
        faults.push(`${id}: the bucket ${labels.get('le')} has a lower count than the previous one`)
      ;[bound, count] = [le, value]
    }
    if (bound !== Number.POSITIVE_INFINITY) faults.push(`${id}: missing bucket +Inf`)
    // A gauge histogram, which can decrease, has no count in the text format.
    if (counts.size > 0 && counts.get(id) !== count)
      faults.push(`${id}: _count is ${counts.get(id)}, but the last bucket holds ${count}`)
  }
  for (const id of counts.keys()) if (!buckets.has(id)) faults.push(`${id}: no buckets`)
  return faults
}

function summaryFaults(name: string, samples: readonly Sample[]): readonly string[] {
  const faults: string[] = []
  for (const sample of samples.filter((one) => one.name === name)) {
    const quantile = Number(sample.labels.get('quantile') ?? 'NaN')
    if (!(quantile >= 0 && quantile <= 1)) faults.push(`${seriesOf(sample)}: quantile is not from 0 to 1`)
  }
  const idsOf = (suffix: string) =>
    new Set(samples.filter((one) => one.name === name + suffix).map((one) => seriesOf({ ...one, name })))
  const sums = idsOf('_sum')
  for (const id of idsOf('_count')) if (!sums.has(id)) faults.push(`${id}: _count without _sum`)
  return faults
}

/** Returns the samples that only grow: counters, and counts of distributions. */
export function cumulativeSamples({ name, type, samples }: Family): readonly Sample[] {
  if (type === 'counter') return samples.filter((sample) => !sample.name.endsWith('_created'))
  if (type === 'histogram') return samples.filter((sample) => /_(bucket|count)$/.test(sample.name))
  return type === 'summary' ? samples.filter((sample) => sample.name === `${name}_count`) : []
}
