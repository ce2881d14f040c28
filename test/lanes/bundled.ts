/**
 * The test files of the packed package that also run on its ES modules, which bundlers read; Node loads the CommonJS
 * files. Both have the same modules, so that only what the format changes can differ: whether each public value is
 * there and works, whether files of the package share their state, and whether what is loaded later is found.
 * A test requires that these files name each public value.
 */
export const alsoBundled: readonly string[] = [
  'test/adapters/building-blocks.test.ts',
  'test/adapters/failing-reports.test.ts',
  'test/adapters/mappings.test.ts',
  'test/adapters/next.test.ts',
  'test/adapters/node-client-errors.test.ts',
  'test/adapters/not-found.test.ts',
  'test/health/indicators/names.test.ts',
  'test/instrumentation/caches/cache-meters.test.ts',
  'test/logging/console-capture.test.ts',
  'test/logging/loggers.test.ts',
  'test/logging/plain-text.test.ts',
  'test/logging/sinks.test.ts',
  'test/logging/winston-format.test.ts',
  'test/management/access/basic-auth.test.ts',
  'test/management/spring-boot-meters.test.ts',
  'test/metrics/bucket-presets.test.ts',
  'test/metrics/filters.test.ts',
  'test/opentelemetry/registration.test.ts',
  'test/otlp/official/metric-producer.test.ts',
  'test/package/shared-names.test.ts',
  'test/package/values/adapters.test.ts',
  'test/package/values/cluster.test.ts',
  'test/package/values/health.test.ts',
  'test/package/values/ids.test.ts',
  'test/package/values/instrumentation.test.ts',
  'test/package/values/rest.test.ts',
  'test/prometheus/express-prom-bundle.test.ts',
  'test/prometheus/prometheus-registry.test.ts',
  'test/prometheus/push-metrics.test.ts',
  'test/spring-boot-admin/credential.test.ts',
  'test/spring-boot-admin/name-lookup.test.ts',
  'test/tracing/baggage.test.ts',
  'test/with/incumbents/bucket-presets.test.ts',
  'test/with/nest/error-document-filter.test.ts',
  'test/with/nest/module.test.ts',
]
