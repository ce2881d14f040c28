import { invalidOption, optionOutOfRange } from '../base/errors.ts'
import { type ContractCase, createCase } from './contract-case.ts'
import { type ContractOptions, type RequirementLevel, settingsOf } from './options.ts'
import { areaOf, levelOf, type Rule } from './rule.ts'
import { acceptRules } from './rules/conventions/accepting.ts'
import { cachingRules } from './rules/conventions/caching.ts'
import { endpointMethodRules } from './rules/conventions/endpoint-methods.ts'
import { entityTagRules } from './rules/conventions/entity-tags.ts'
import { errorRules } from './rules/conventions/error-documents.ts'
import { methodRules } from './rules/conventions/methods.ts'
import { pathRules } from './rules/conventions/paths.ts'
import { fieldRules } from './rules/conventions/selected-fields.ts'
import { diagnosticAccessRules } from './rules/diagnostics/diagnostic-access.ts'
import { diagnosticFormRules } from './rules/diagnostics/diagnostic-forms.ts'
import { diagnosticSecretRules } from './rules/diagnostics/diagnostic-secrets.ts'
import { logFileRules } from './rules/diagnostics/log-files.ts'
import { discoveryRules } from './rules/discovery/discovery.ts'
import { endpointPathRules } from './rules/discovery/endpoint-paths.ts'
import { infoRules } from './rules/discovery/info.ts'
import { healthComponentRules } from './rules/health/health-components.ts'
import { healthDetailRules } from './rules/health/health-details.ts'
import { healthDownRules } from './rules/health/health-down.ts'
import { healthGroupRules } from './rules/health/health-groups.ts'
import { healthReportRules } from './rules/health/health-report.ts'
import { probeStateRules } from './rules/health/probe-states.ts'
import { probeRules } from './rules/health/probes.ts'
import { metricDetailRules } from './rules/metrics/metric-details.ts'
import { metricNameRules } from './rules/metrics/metric-names.ts'
import { metricTagRules } from './rules/metrics/metric-tags.ts'
import { requestRules } from './rules/metrics/requests.ts'
import { scrapeHttpRules } from './rules/metrics/scrape-http.ts'
import { scrapePageRules } from './rules/metrics/scrape-pages.ts'
import { traceRules } from './rules/tracing.ts'
import { webhookRules } from './rules/webhook.ts'
import { createService, knownEndpoints } from './service.ts'
import { sayOnConsole } from './tell-runner.ts'

/**
 * Returns the contract of a service's HTTP interface as test cases. Sends no request before the first case runs.
 *
 * @throws TypeError or RangeError naming the invalid option.
 */
export function contract(options: ContractOptions): readonly ContractCase[] {
  const settings = settingsOf(options)
  const { only, level = 'MAY', endpoints, profile, onSkip = sayOnConsole } = options
  if (!isLevel(level)) throw invalidOption(`level: expected 'MUST', 'SHOULD' or 'MAY', received '${level}'`)
  const rules = allRules(endpoints)
  checkSelection(only ?? [], rules)
  const service = createService(settings)
  return rules
    .filter((rule) => profile !== 'spring' || rule.shared === true)
    .filter((rule) => strength[levelOf(rule)] >= strength[level])
    .filter((rule) => only === undefined || only.some((name) => isMeant(rule, name)))
    .map((rule) => createCase(rule, service, onSkip))
}

/** The areas that there are cases for. */
export const contractAreas: readonly string[] = [...new Set(allRules().map(areaOf))]

/**
 * Returns the rules of the whole interface, in the order of the documentation; `endpoints` are those of the
 * application.
 */
function allRules(endpoints: readonly string[] = []): readonly Rule[] {
  return [
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
}

/** The levels, the strongest with the highest number. */
const strength: Readonly<Record<RequirementLevel, number>> = { MUST: 2, SHOULD: 1, MAY: 0 }

function isLevel(text: string): text is RequirementLevel {
  return Object.hasOwn(strength, text)
}

function isMeant({ id }: Rule, name: string): boolean {
  return id === name || id.startsWith(`${name}.`)
}

function checkSelection(only: readonly string[], rules: readonly Rule[]): void {
  const strange = only.filter((name) => !rules.some((rule) => isMeant(rule, name)))
  if (strange.length > 0) {
    const received = strange.map((name) => `'${name}'`).join(', ')
    throw optionOutOfRange(`only: expected ids of cases or areas (${contractAreas.join(', ')}), received ${received}`)
  }
}
