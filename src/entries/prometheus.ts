export { type ExpressPromBundleOptions, expressPromBundle } from '../prometheus/prom-client/express-prom-bundle.ts'
export { type PrometheusRegistryOptions, prometheusRegistry } from '../prometheus/prom-client/prometheus-registry.ts'
export type { ClientRegistry } from '../prometheus/prom-client/read-metric.ts'
export { deletePushedMetrics, type PushGroup, type PushOptions, pushMetrics } from '../prometheus/push-metrics.ts'
