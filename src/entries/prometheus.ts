export type { ClientRegistry } from '../prometheus/prometheus-client.ts'
export { type PrometheusRegistryOptions, prometheusRegistry } from '../prometheus/prometheus-registry.ts'
export { deletePushedMetrics, type PushGroup, type PushOptions, pushMetrics } from '../prometheus/push-metrics.ts'
