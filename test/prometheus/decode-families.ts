import protobuf from 'protobufjs'

/** A decoded message `MetricFamily`. */
export interface DecodedFamily {
  readonly name: string
  readonly help: string
  readonly type?: string
  readonly unit?: string
  readonly metric: readonly DecodedMetric[]
}

export interface DecodedMetric {
  readonly label: readonly DecodedLabel[]
  readonly gauge?: { readonly value: number }
  readonly untyped?: { readonly value: number }
  readonly counter?: Created & { readonly value: number; readonly exemplar?: DecodedExemplar }
  readonly summary?: Created & {
    readonly sampleCount: number
    readonly sampleSum: number
    readonly quantile: readonly { readonly quantile: number; readonly value: number }[]
  }
  readonly histogram?: DecodedHistogram
}

export interface DecodedHistogram extends Created {
  readonly sampleCount: number
  readonly sampleSum: number
  readonly bucket: readonly DecodedBucket[]
  readonly schema?: number
  readonly zeroThreshold?: number
  readonly zeroCount?: number
  readonly positiveSpan: readonly { readonly offset: number; readonly length: number }[]
  readonly positiveDelta: readonly number[]
  readonly exemplars: readonly DecodedExemplar[]
}

interface DecodedBucket {
  readonly cumulativeCount: number
  readonly upperBound: number
  readonly exemplar?: DecodedExemplar
}

interface Created {
  readonly createdTimestamp?: DecodedTime
}

export interface DecodedExemplar {
  readonly label: readonly DecodedLabel[]
  readonly value: number
  readonly timestamp?: DecodedTime
}

interface DecodedLabel {
  readonly name: string
  readonly value: string
}

interface DecodedTime {
  readonly seconds: number
  readonly nanos?: number
}

/** Prometheus' own definition of the format, of github.com/prometheus/client_model 0.6.3. */
const root = await new protobuf.Root().load(new URL('../vectors/client-model/metrics.proto', import.meta.url).pathname)
const MetricFamily = root.lookupType('io.prometheus.client.MetricFamily')

/** Decodes a page: messages, each after its length. Throws if one is broken. */
export function decodeFamilies(page: Uint8Array): readonly DecodedFamily[] {
  const reader = protobuf.Reader.create(page)
  const families: DecodedFamily[] = []
  while (reader.pos < reader.len) {
    const message = MetricFamily.decodeDelimited(reader)
    families.push(MetricFamily.toObject(message, { longs: Number, enums: String, arrays: true }) as DecodedFamily)
  }
  return families
}

/** The counts of the buckets of a native histogram, by their index in Prometheus. */
export function nativeBuckets({ positiveSpan, positiveDelta }: DecodedHistogram): ReadonlyMap<number, number> {
  const buckets = new Map<number, number>()
  let index = 0
  let count = 0
  let at = 0
  for (const { offset, length } of positiveSpan) {
    index += offset
    for (let end = at + length; at < end; at++) {
      count += positiveDelta[at] ?? Number.NaN
      buckets.set(index, count)
      index += 1
    }
  }
  if (at !== positiveDelta.length) throw new Error(`${positiveDelta.length} deltas for ${at} buckets`)
  return buckets
}
