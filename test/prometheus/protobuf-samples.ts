import { formatBound } from '../../src/prometheus/exposition/numbers.ts'
import type { DecodedExemplar, DecodedFamily, DecodedMetric } from './decode-families.ts'

/** All samples as Prometheus reads them, by name and labels, without the starts; fails when two are the same. */
export function samplesOf(families: readonly DecodedFamily[]): ReadonlyMap<string, unknown> {
  const samples = new Map<string, unknown>()
  const gaugeHistograms = families.filter(({ type }) => type === 'GAUGE_HISTOGRAM').map(({ name }) => name)
  for (const family of families) {
    for (const metric of family.metric) {
      for (const [name, extra, value, exemplar] of valuesOf(family, metric)) {
        // Of Prometheus alone: there are _gcount and _gsum besides.
        if (gaugeHistograms.some((histogram) => name === `${histogram}_count` || name === `${histogram}_sum`)) continue
        const labels = [...metric.label.map((label) => [label.name, label.value]), ...extra]
        const key = JSON.stringify([name, labels.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))])
        if (samples.has(key)) throw new Error(`two of ${key}`)
        samples.set(key, exemplar ? { value: value + 0, exemplar: plain(exemplar) } : { value: value + 0 })
      }
    }
  }
  return samples
}

type Value = readonly [
  name: string,
  labels: readonly (readonly [string, string])[],
  value: number,
  exemplar?: DecodedExemplar | undefined,
]

function valuesOf({ name, type }: DecodedFamily, metric: DecodedMetric): readonly Value[] {
  const { counter, gauge, untyped, summary, histogram } = metric
  const single = gauge ?? untyped
  if (single !== undefined) return [[name, [], single.value]]
  if (counter !== undefined) return [[name, [], counter.value, counter.exemplar]]
  const distribution = summary ?? histogram
  if (distribution === undefined) throw new Error(`no value in ${name} of ${type}`)
  const totals: readonly Value[] = [
    [`${name}_count`, [], distribution.sampleCount],
    [`${name}_sum`, [], distribution.sampleSum],
  ]
  if (summary !== undefined) {
    const quantiles = summary.quantile.map(
      ({ quantile, value }): Value => [name, [['quantile', formatBound(quantile)]], value],
    )
    return [...quantiles, ...totals]
  }
  const buckets = histogram?.bucket ?? []
  const hasInfinity = buckets.at(-1)?.upperBound === Number.POSITIVE_INFINITY
  const last = { cumulativeCount: distribution.sampleCount, upperBound: Number.POSITIVE_INFINITY }
  const lines = [...buckets, ...(hasInfinity ? [] : [last])].map(
    (bucket): Value => [
      `${name}_bucket`,
      [['le', formatBound(bucket.upperBound)]],
      bucket.cumulativeCount,
      'exemplar' in bucket ? bucket.exemplar : undefined,
    ],
  )
  return [...lines, ...totals]
}

function plain({ label, value }: DecodedExemplar): unknown {
  return { labels: Object.fromEntries(label.map((each) => [each.name, each.value])), value: value + 0 }
}

/** Without starts, which are no samples in protobuf, and with counts up to 2^64. */
export function comparable(samples: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  const withName = [...samples].map(([key, sample]) => [nameOf(key), key, sample] as const)
  return new Map(
    withName
      .filter(([name]) => !name.endsWith('_created'))
      .map(([name, key, sample]) => [key, /_(?:count|bucket)$/.test(name) ? capped(sample) : sample]),
  )
}

function nameOf(key: string): string {
  const [name] = JSON.parse(key) as [string]
  return name
}

function capped(sample: unknown): unknown {
  const { value, ...rest } = sample as { readonly value: number }
  return { ...rest, value: Math.min(value, 2 ** 64 - 2 ** 11) }
}
