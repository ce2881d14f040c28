import type { MeterId, MeterSnapshot } from '../../metrics/snapshot.ts'
import { upkeepScope } from '../../tracing/spans/span-recorder.ts'
import {
  beginMetric,
  endMetric,
  type MetricDescriptor,
  type OpenMetric,
  writeCounted,
  writeGauge,
} from '../encoding/encode-metrics.ts'
import { Envelope, envelopeFields } from '../encoding/envelope.ts'
import type { MessageWriter } from '../encoding/message-writer.ts'
import { SliceTags, sliceTagsOf } from '../encoding/slice-tags.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { type MetricKind, mapSnapshot, metricName, type PointSink } from './map-snapshot.ts'
import type { CountedSnapshot, Temporality } from './temporality.ts'

const noTags = /* @__PURE__ */ new SliceTags([])
const envelope = envelopeFields('resourceMetrics', 'scopeMetrics')

/** The data points of a gauge that is written after the metric that it belongs to, because a metric is one message. */
interface PendingGauge {
  readonly descriptor: MetricDescriptor
  readonly slices: SliceTags[]
  readonly indices: number[]
  readonly values: number[]
  readonly quantiles: (number | undefined)[]
}

/** A request that has been encoded. */
export interface MetricsRequest {
  readonly body: readonly Uint8Array[]
  /** The number of data points. */
  readonly count: number
  /** The snapshots whose data points are deltas. */
  readonly deltas: readonly CountedSnapshot[]
  /** The time of the data points, in seconds since 1970-01-01T00:00:00Z. */
  readonly time: number
}

/** Encodes data points, in the order of their names, as a request for metrics. */
export class MetricsMessage implements PointSink {
  readonly #out: MessageWriter
  readonly #envelope: Envelope
  readonly #temporality: Temporality
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly #now: number
  /** The name of the current meters, whose metrics have not all ended. */
  #name: string | undefined
  #open: OpenMetric | undefined
  /** Of the open metric. */
  #baseUnit: string | undefined
  /** Of the current name, by suffix. */
  readonly #gauges = new Map<string, PendingGauge>()
  /** Whose data points are being written. One object for all, so that none is allocated per data point. */
  readonly #series = { slice: noTags, index: 0 }
  #count = 0
  #deltas: CountedSnapshot[] = []

  constructor(out: MessageWriter, resource: ResourceAttributes, temporality: Temporality, now: number) {
    this.#out = out
    this.#envelope = new Envelope(out, envelope, resource)
    this.#temporality = temporality
    this.#now = now
  }

  /** The number of data points since `take`. */
  get count(): number {
    return this.#count
  }

  /** Writes the data points of a slice of one name. */
  add(slice: readonly MeterSnapshot[]): void {
    this.#series.slice = sliceTagsOf(slice)
    for (let index = 0; index < slice.length; index++) {
      this.#series.index = index
      mapSnapshot(slice[index] as MeterSnapshot, this.#temporality, this)
    }
  }

  gauge(id: MeterId, suffix: string, value: number, quantile?: number, unit?: string): void {
    this.#count += 1
    if (suffix === '') {
      this.#metricOf('gauge', id, false)
      writeGauge(this.#out, this.#series, value, this.#now)
      return
    }
    const gauge = this.#gaugeOf(id, suffix, unit)
    gauge.slices.push(this.#series.slice)
    gauge.indices.push(this.#series.index)
    gauge.values.push(value)
    gauge.quantiles.push(quantile)
  }

  counted(kind: MetricKind, part: CountedSnapshot, start: number, whole: CountedSnapshot): void {
    const isDelta = this.#temporality.isDelta(whole)
    this.#metricOf(kind, whole.id, isDelta)
    // The system clock may have been set back since the last export, as after a process was frozen.
    writeCounted(this.#out, this.#series, part, Math.min(start, this.#now), this.#now)
    this.#count += 1
    if (isDelta) this.#deltas.push(whole)
  }

  /** Ends the request, and removes and returns it; `undefined` if it has no data points. */
  take(): MetricsRequest | undefined {
    if (this.#count === 0) return undefined
    this.#endName()
    this.#envelope.end()
    const request = { body: this.#out.take(), count: this.#count, deltas: this.#deltas, time: this.#now }
    this.#count = 0
    this.#deltas = []
    return request
  }

  /** Begins the metric of a data point, unless it is open. */
  #metricOf(kind: MetricKind, id: MeterId, isDelta: boolean): void {
    this.#enterName(id.name)
    const open = this.#open?.descriptor
    const isOpen = open?.kind === kind && open.isDelta === isDelta && this.#baseUnit === id.baseUnit
    if (isOpen) return
    this.#endMetric()
    this.#envelope.begin(upkeepScope)
    this.#baseUnit = id.baseUnit
    // Without a spread, all descriptors have one shape: they are read for each data point.
    const { name, unit } = metricName(id, '')
    this.#open = beginMetric(this.#out, { name, unit, description: id.description, kind, isDelta })
  }

  #gaugeOf(id: MeterId, suffix: string, unit: string | undefined): PendingGauge {
    this.#enterName(id.name)
    const known = this.#gauges.get(suffix)
    if (known !== undefined) return known
    const { description } = id
    const descriptor = { ...metricName(id, suffix, unit), description, kind: 'gauge', isDelta: false } as const
    const gauge = { descriptor, slices: [], indices: [], values: [], quantiles: [] }
    this.#gauges.set(suffix, gauge)
    return gauge
  }

  #enterName(name: string): void {
    if (this.#name === name) return
    this.#endName()
    this.#name = name
  }

  #endName(): void {
    this.#endMetric()
    for (const gauge of this.#gauges.values()) this.#writeGauge(gauge)
    this.#gauges.clear()
    this.#name = undefined
  }

  #endMetric(): void {
    if (this.#open !== undefined) endMetric(this.#out, this.#open)
    this.#open = undefined
  }

  #writeGauge({ descriptor, slices, indices, values, quantiles }: PendingGauge): void {
    this.#envelope.begin(upkeepScope)
    const metric = beginMetric(this.#out, descriptor)
    for (const [at, slice] of slices.entries()) {
      const series = { slice, index: indices[at] as number }
      writeGauge(this.#out, series, values[at] as number, this.#now, quantiles[at])
    }
    endMetric(this.#out, metric)
  }
}
