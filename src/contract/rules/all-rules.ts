import { knownEndpoints } from '../exposure.ts'
import type { Rule } from '../rule.ts'
import { acceptRules } from './accepting.ts'
import { cachingRules } from './caching.ts'
import { discoveryRules } from './discovery.ts'
import { endpointMethodRules } from './endpoint-methods.ts'
import { endpointPathRules } from './endpoint-paths.ts'
import { entityTagRules } from './entity-tags.ts'
import { errorRules } from './error-documents.ts'
import { healthComponentRules } from './health-components.ts'
import { healthDetailRules } from './health-details.ts'
import { healthDownRules } from './health-down.ts'
import { healthGroupRules } from './health-groups.ts'
import { healthReportRules } from './health-report.ts'
import { infoRules } from './info.ts'
import { methodRules } from './methods.ts'
import { metricDetailRules } from './metric-details.ts'
import { metricNameRules } from './metric-names.ts'
import { metricTagRules } from './metric-tags.ts'
import { pathRules } from './paths.ts'
import { probeStateRules } from './probe-states.ts'
import { probeRules } from './probes.ts'
import { requestRules } from './requests.ts'
import { scrapeHttpRules } from './scrape-http.ts'
import { scrapePageRules } from './scrape-pages.ts'
import { fieldRules } from './selected-fields.ts'
import { traceRules } from './tracing.ts'
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
