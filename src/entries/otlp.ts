export { createMetricProducer, type MetricProducerOptions } from '../otlp/official/metric-producer.ts'
export type {
  CollectedExponentialHistogram,
  CollectedHistogram,
  CollectedMetric,
  CollectedMetrics,
  CollectedPoint,
  CollectedResource,
  CollectedScope,
  MetricCollection,
  MetricHeader,
  MetricProducer,
} from '../otlp/official/sdk-metrics.ts'
export type {
  ApplicationName,
  ExportedCluster,
  FailedRequestsOptions,
  LogsExportOptions,
  MeasuredApplication,
  MetricsExportOptions,
  ReceiverOptions,
  ResourceAttributes,
  TelemetryOptions,
  TracingExportOptions,
} from '../otlp/settings/telemetry-options.ts'
export { startTelemetry, type Telemetry } from '../otlp/start-telemetry.ts'
