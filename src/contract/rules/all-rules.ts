import { knownEndpoints } from '../exposure.ts'
import type { Rule } from '../rule.ts'
import { acceptRules } from './conventions/accepting.ts'
import { cachingRules } from './conventions/caching.ts'
import { endpointMethodRules } from './conventions/endpoint-methods.ts'
import { entityTagRules } from './conventions/entity-tags.ts'
import { errorRules } from './conventions/error-documents.ts'
import { methodRules } from './conventions/methods.ts'
import { pathRules } from './conventions/paths.ts'
import { fieldRules } from './conventions/selected-fields.ts'
import { diagnosticAccessRules } from './diagnostics/diagnostic-access.ts'
import { diagnosticFormRules } from './diagnostics/diagnostic-forms.ts'
import { diagnosticSecretRules } from './diagnostics/diagnostic-secrets.ts'
import { logFileRules } from './diagnostics/log-files.ts'
import { discoveryRules } from './discovery/discovery.ts'
import { endpointPathRules } from './discovery/endpoint-paths.ts'
import { infoRules } from './discovery/info.ts'
import { healthComponentRules } from './health/health-components.ts'
import { healthDetailRules } from './health/health-details.ts'
import { healthDownRules } from './health/health-down.ts'
import { healthGroupRules } from './health/health-groups.ts'
import { healthReportRules } from './health/health-report.ts'
import { probeStateRules } from './health/probe-states.ts'
import { probeRules } from './health/probes.ts'
import { metricDetailRules } from './metrics/metric-details.ts'
import { metricNameRules } from './metrics/metric-names.ts'
import { metricTagRules } from './metrics/metric-tags.ts'
import { requestRules } from './metrics/requests.ts'
import { scrapeHttpRules } from './metrics/scrape-http.ts'
import { scrapePageRules } from './metrics/scrape-pages.ts'
import { traceRules } from './tracing/tracing.ts'
import { webhookRules } from './webhook.ts'

/**
 * Returns the rules of the whole interface, in the order of the documentation; `endpoints` are those of the
 * application.
 */
export const allRules = (endpoints: readonly string[] = []): readonly Rule[] => [
  ...discoveryRules,
  ...endpointPathRules,
  ...healthReportRules,
  ...healthGroupRules,
  ...healthComponentRules,
  ...healthDetailRules,
  ...healthDownRules,
  ...probeRules,
  ...probeStateRules,
  ...infoRules,
  ...metricNameRules,
  ...metricDetailRules,
  ...metricTagRules,
  ...requestRules,
  ...scrapePageRules,
  ...scrapeHttpRules,
  ...diagnosticAccessRules,
  ...diagnosticSecretRules,
  ...diagnosticFormRules,
  ...logFileRules,
  ...[...knownEndpoints, ...endpoints].flatMap(endpointMethodRules),
  ...methodRules,
  ...acceptRules,
  ...entityTagRules,
  ...fieldRules,
  ...errorRules,
  ...pathRules,
  ...cachingRules,
  ...traceRules,
  ...webhookRules,
]
