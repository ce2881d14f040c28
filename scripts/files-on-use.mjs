/**
 * The files of `dist/` that Node loads when they are used for the first time, each with the source files by which other
 * files enter it. A file that is always used is not worth one of its own: opening it takes as
 * long as 5 kB. What several of them need is in the first.
 */
export const filesOnUse = {
  // What importing upkeep does not need.
  'management-parts': ['src/management/build-management.ts', 'src/management/check-options.ts'],
  // With zod: options that the plain check does not know, and what is written about them.
  'options-schema': [
    'src/management/options-schema/management-options.ts',
    'src/base/option-errors.ts',
    'src/base/unknown-option.ts',
  ],
  'metrics-core': [
    'src/management/managed-metrics.ts',
    'src/metrics/registry.ts',
    'src/instrumentation/conventions/conventions.ts',
    'src/instrumentation/http-server/server-requests.ts',
    'src/instrumentation/operation-meters.ts',
    'src/instrumentation/decorators.ts',
    'src/management/cluster/shown-metrics.ts',
    'src/logging/events/level-counters.ts',
  ],
  'endpoints-metrics': [
    'src/management/endpoints/metrics.ts',
    'src/management/endpoints/prometheus.ts',
    'src/prometheus/scraper.ts',
  ],
  // The first scrape.
  exposition: [
    'src/prometheus/exposition/exposition.ts',
    'src/prometheus/exposition/text-format.ts',
    'src/prometheus/metric-detail.ts',
  ],
  'endpoints-info': ['src/management/endpoints/info.ts', 'src/management/info/info-contributors.ts'],
  'endpoints-diagnostics': [
    'src/management/endpoints/profile.ts',
    'src/management/endpoints/pprof.ts',
    'src/management/endpoints/threaddump.ts',
    'src/management/endpoints/heapdump.ts',
  ],
  'endpoint-captures': [
    'src/management/endpoints/captures.ts',
    'src/watch/recorder/application-rules.ts',
    'src/watch/recorder/count-captures.ts',
  ],
  // What callers send.
  'endpoint-changes': ['src/http/conventions/request-body.ts', 'src/management/endpoints/tracing-change.ts'],
  'endpoints-more': [
    'src/management/endpoints/env.ts',
    'src/management/endpoints/mappings.ts',
    'src/management/endpoints/http-exchanges.ts',
    'src/management/endpoints/startup.ts',
    'src/management/endpoints/tracing.ts',
    'src/lifecycle/startup-timeline.ts',
  ],
  // Those that an application configures.
  'endpoints-configured': [
    'src/management/endpoints/log-file.ts',
    'src/management/endpoints/loggers.ts',
    'src/management/endpoints/caches.ts',
    'src/management/endpoints/scheduled-tasks.ts',
    'src/management/endpoints/sbom.ts',
    'src/management/endpoints/shutdown.ts',
    'src/management/describe-operations.ts',
  ],
  'console-histories': [
    'src/management/endpoints/console.ts',
    'src/management/endpoints/why.ts',
    'src/console/console.ts',
  ],
  // What the console and `why` show of the histories, when a page or a caller asks.
  'console-documents': [
    'src/console/why/explain.ts',
    'src/console/why/why-markdown.ts',
    'src/console/findings.ts',
    'src/console/screens/meters.ts',
    'src/console/sample-stream.ts',
    'src/console/queries.ts',
    'src/console/members/merge-documents.ts',
    'src/console/members/merge-lists.ts',
    'src/management/console-schemas.ts',
  ],
  // The page itself: 80 kB that are read when it is first opened.
  'console-files': ['src/console/html-page.ts'],
  instrument: ['src/instrumentation/instrument.ts'],
  // The first query.
  'query-spans': [
    'src/instrumentation/database/sql/sql-span.ts',
    'src/instrumentation/database/sql/sql-token.ts',
    'src/instrumentation/database/traced-postgres.ts',
  ],
  'native-tracing': ['src/tracing/create-tracing.ts'],
  'runtime-meters': ['src/runtime/runtime-meters.ts'],
  negotiation: ['src/http/conventions/preferred-offer.ts'],
  'cluster-shown': [
    'src/management/cluster/cluster-health.ts',
    'src/management/cluster/apply-command.ts',
    'src/logging/levels/level-changes.ts',
  ],
  'client-watch': ['src/health/discovery/discovery.ts'],
  'client-discovery': ['src/health/discovery/discovered-components.ts'],
  // Of `upkeep/auto`, which no other file may require, and of the discovery.
  emitters: ['src/health/discovery/watch-emitters.ts'],
  // Of `upkeep/health`, and of what is discovered.
  'client-indicators': [
    'src/health/indicators/amqp.ts',
    'src/health/indicators/disk-space.ts',
    'src/health/indicators/kafka.ts',
    'src/health/indicators/mongodb.ts',
    'src/health/indicators/mysql.ts',
    'src/health/indicators/nats.ts',
    'src/health/indicators/postgres.ts',
    'src/health/indicators/redis.ts',
    'src/health/indicators/sql.ts',
  ],
  // An application without clients of databases, caches and brokers does not need it.
  'found-clients': ['src/health/discovery/found-clients.ts'],
  // What changes, downloads or requires credentials, and pages of other origins: not the health of a service alone.
  'management-access': [
    'src/management/audit.ts',
    'src/management/audit-log.ts',
    'src/http/login-limit.ts',
    'src/http/cors-exchange.ts',
  ],
  // Downloads, and content of an application's own resources.
  'streamed-content': ['src/http/range-response.ts', 'src/http/stream-response.ts'],
  'graceful-shutdown': ['src/lifecycle/shutdown/shutdown.ts'],
  'management-port': ['src/lifecycle/open-server.ts', 'adapters/node/client-certificate.ts'],
  'watchdog-start': ['src/watch/watchdog.ts'],
  'tracer-provider': ['src/opentelemetry/register-tracer-provider.ts'],
}
