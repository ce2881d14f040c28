export { createMetricProducer, type MetricProducerOptions } from './telemetry/metrics/metric-producer.ts'
export type {
  ApplicationName,
  MeasuredApplication,
  MetricsExportOptions,
  ReceiverOptions,
  ResourceAttributes,
  TelemetryOptions,
  TracingExportOptions,
} from './telemetry/settings/telemetry-options.ts'
export { startTelemetry, type Telemetry } from './telemetry/start-telemetry.ts'
