import { type Meter, type MeterProvider, metrics } from '@opentelemetry/api'
import {
  DataPointType,
  type MetricData,
  MetricReader,
  type ResourceMetrics,
  MeterProvider as SdkMeterProvider,
} from '@opentelemetry/sdk-metrics'
import { createManagement, type ManagementOptions } from 'upkeep'
import { registerMeterProvider } from 'upkeep/opentelemetry'
import { createMetricProducer } from 'upkeep/otlp'

/** A program that records through OpenTelemetry's API. */
export type Program = (parts: {
  readonly provider: MeterProvider
  readonly meter: Meter
  /** Reads all metrics; a program is read once more at its end. */
  readonly collect: () => Promise<void>
}) => void | Promise<void>

/** What a reader gets: the points of each metric by their attributes. */
export type Collected = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Runs a program against the official SDK, and returns what was collected each time. */
export async function runOnSdk(program: Program): Promise<readonly Collected[]> {
  const reader = new ManualReader()
  const provider = new SdkMeterProvider({ readers: [reader] })
  const collected: Collected[] = []
  const collect = async () => {
    collected.push(normalize((await reader.collect()).resourceMetrics))
  }
  await program({ provider, meter: provider.getMeter('program', '1.2.3'), collect })
  await collect()
  await provider.shutdown()
  return collected
}

/** Runs a program against upkeep, through the global API; `reports` receives the messages. */
export async function runOnUpkeep(
  program: Program,
  options: ManagementOptions['metrics'] = {},
  reports: string[] = [],
): Promise<readonly Collected[]> {
  const report = (message: string) => void reports.push(message)
  const management = createManagement({ metrics: { runtime: false, ...options }, report })
  const unregister = registerMeterProvider(management)
  const producer = createMetricProducer(management.meters)
  const collected: Collected[] = []
  const collect = async () => {
    collected.push(normalize((await producer.collect()).resourceMetrics))
  }
  await program({ provider: metrics.getMeterProvider(), meter: metrics.getMeter('program', '1.2.3'), collect })
  await collect()
  unregister()
  management.close()
  return collected
}

class ManualReader extends MetricReader {
  protected async onShutdown(): Promise<void> {}

  protected async onForceFlush(): Promise<void> {}
}

/**
 * Converts metrics to a form in which both can be compared: attribute values as strings, up-down sums as gauges, the
 * scope as a part of the name, buckets without those for values of 0 or less, without upkeep's own meters and maxima.
 */
function normalize({ scopeMetrics }: ResourceMetrics): Collected {
  const collected: Record<string, Record<string, unknown>> = {}
  for (const { scope, metrics: ofScope } of scopeMetrics) {
    for (const metric of ofScope) {
      const { name, unit, description } = metric.descriptor
      if (/^upkeep\.|\.max$/.test(name)) continue
      for (const { attributes, value } of metric.dataPoints) {
        const { 'otel.scope.name': ourName = '', 'otel.scope.version': ourVersion = '', ...own } = attributes
        const of = scope.name === 'upkeep' ? `${ourName}@${ourVersion}` : `${scope.name}@${scope.version ?? ''}`
        const by = `${of} ${name} ${kindOf(metric)} [${unit}] "${description}"`
        collected[by] ??= {}
        collected[by][attributesText(own)] = typeof value === 'number' ? value : distribution(value as Buckets)
      }
    }
  }
  return collected
}

interface Buckets {
  readonly count: number
  readonly sum?: number
  readonly buckets: { readonly boundaries: readonly number[]; readonly counts: readonly number[] }
}

function kindOf(metric: MetricData): string {
  if (metric.dataPointType === DataPointType.SUM) return metric.isMonotonic ? 'counter' : 'gauge'
  return metric.dataPointType === DataPointType.GAUGE ? 'gauge' : 'histogram'
}

function attributesText(attributes: Readonly<Record<string, unknown>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${key}=${Array.isArray(value) ? JSON.stringify(value) : String(value)}`)
    .sort()
    .join(',')
}

function distribution({ count, sum, buckets: { boundaries, counts } }: Buckets): unknown {
  const first = boundaries.findIndex((bound) => bound > 0)
  const from = first === -1 ? boundaries.length : first
  const merged = counts.slice(0, from + 1).reduce((total, each) => total + each, 0)
  return { count, sum, boundaries: boundaries.slice(from), counts: [merged, ...counts.slice(from + 1)] }
}
