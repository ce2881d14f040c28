export type { Clock } from '../base/clock.ts'
export type { Report } from '../base/report.ts'
export { bucketPresets } from '../metrics/bucket-presets.ts'
export type { Counter } from '../metrics/counter.ts'
export type { Diagnose, MeterDiagnostic } from '../metrics/diagnostic.ts'
export type { DistributionOptions } from '../metrics/distribution/distribution-options.ts'
export type { ExponentialHistogramOptions } from '../metrics/distribution/exponential-counts.ts'
export type { ExemplarSource } from '../metrics/exemplar.ts'
export {
  accept,
  commonTags,
  deny,
  denyUnless,
  histogram,
  ignoreTags,
  type MeterSelection,
  maximumAllowableTags,
  renameMeter,
  renameTag,
  replaceTagValues,
} from '../metrics/filters.ts'
export type { FunctionCounter } from '../metrics/function-counter.ts'
export type { FunctionTimer, TimedTotal } from '../metrics/function-timer.ts'
export type { Gauge } from '../metrics/gauge.ts'
export type { LongTask, LongTaskTimer } from '../metrics/long-task-timer.ts'
export type { Meter, MeterKindName, MeterOptions } from '../metrics/meter.ts'
export type { FilterDecision, MeterDescription, MeterFilter } from '../metrics/meter-filter.ts'
export type { ObjectReadingOptions, RegisterReading } from '../metrics/meter-reading.ts'
export type { MeterRegistry, MeterRegistryOptions } from '../metrics/meter-registry.ts'
export type { GaugeRow, MultiGauge } from '../metrics/multi-gauge.ts'
export { createMeterRegistry } from '../metrics/registry.ts'
export type { Tags, TagValue } from '../metrics/series/tags.ts'
export type {
  BucketsSnapshot,
  CounterSnapshot,
  DistributionSnapshot,
  Exemplar,
  ExponentialSnapshot,
  FunctionTimerSnapshot,
  GaugeSnapshot,
  LongTaskTimerSnapshot,
  MeterId,
  MeterSnapshot,
  Percentile,
  SnapshotSource,
  Tag,
} from '../metrics/snapshot.ts'
export type { Summary, SummaryOptions } from '../metrics/summary.ts'
export type { TaggedMeters } from '../metrics/tag-index/tagged-meters.ts'
export type { Sample, Timer, TimerOptions, UnboundSample } from '../metrics/timer.ts'
