import { invalidOption } from '../../base/errors.ts'
import { describeOptionErrors, type OptionIssue, type OptionSchema } from '../../base/option-errors.ts'
import type { KeepingRule } from '../../tracing/held/held-requests.ts'
import { keepingRule } from '../../tracing/held/keeping-rule.ts'
import { optionsSchema } from './options-schema.ts'
import {
  type LogsSettings,
  logsSettings,
  type MetricsSettings,
  metricsSettings,
  type TracingSettings,
  tracingSettings,
} from './signal-settings.ts'
import type { ResourceAttributes, TelemetryOptions } from './telemetry-options.ts'
import { aFlag, aText, createVariableReader, type Environment, oneOf, pairs, type VariableReader } from './variables.ts'

/** What is exported, where to, and how often; `undefined` disables a signal. */
export interface TelemetrySettings {
  readonly resource: ResourceAttributes
  readonly tracing: TracingSettings | undefined
  readonly metrics: MetricsSettings | undefined
  readonly logs: LogsSettings | undefined
  /** Which requests are exported although they are not sampled; `undefined` exports none. */
  readonly keeping: KeepingRule | undefined
}

/**
 * Resolves options and the standard variables `OTEL_*`. Options take precedence over variables, and variables of a
 * signal over general ones. Overridden variables, and those of disabled signals, are not read.
 *
 * @throws TypeError with one entry per invalid option or variable, and what is expected.
 */
export function resolveSettings(
  options: TelemetryOptions,
  environment: Environment,
  instanceId: () => string,
): TelemetrySettings {
  const optionFaults = faultsOf(options)
  if (optionFaults.length > 0) throw invalidOption(`startTelemetry: ${optionFaults.join('; ')}`)
  const variables = createVariableReader(environment)
  const { tracing = {}, metrics = {}, logs = {} } = options
  const enabled = options.enabled ?? !variables.read(['OTEL_SDK_DISABLED'], aFlag)
  const settings: TelemetrySettings = {
    resource: enabled ? resourceSettings(options, variables, instanceId) : {},
    tracing:
      enabled && tracing !== false && (tracing.enabled ?? isExported('OTEL_TRACES_EXPORTER', variables))
        ? tracingSettings(options, tracing, variables)
        : undefined,
    metrics:
      enabled && metrics !== false && (metrics.enabled ?? isExported('OTEL_METRICS_EXPORTER', variables))
        ? metricsSettings(options, metrics, variables)
        : undefined,
    logs:
      enabled && logs !== false && (logs.enabled ?? isExported('OTEL_LOGS_EXPORTER', variables))
        ? logsSettings(options, logs, variables)
        : undefined,
    keeping: enabled ? keepingRule(options.keepFailedRequests ?? false) : undefined,
  }
  if (options.cluster !== undefined) requireCumulative(settings, variables)
  if (options.exporter === 'opentelemetry') {
    requireProtobuf(settings, variables)
    requireParentBased(settings, variables)
    if (options.schedule === 'flush') {
      variables.fail('schedule: expected "interval" with exporter: "opentelemetry", received "flush"')
    }
  }
  if (variables.faults.length > 0) throw invalidOption(`startTelemetry: ${variables.faults.join('; ')}`)
  return settings
}

/** The exporters of OpenTelemetry that upkeep uses have one encoding. */
function requireProtobuf({ tracing, metrics }: TelemetrySettings, variables: VariableReader): void {
  if (tracing?.protocol === 'http/json' || metrics?.protocol === 'http/json') {
    variables.fail('protocol: expected "http/protobuf" with exporter: "opentelemetry", received "http/json"')
  }
}

/** A member that takes over does not know what the one before it has sent. */
function requireCumulative({ metrics }: TelemetrySettings, variables: VariableReader): void {
  if (metrics === undefined || metrics.temporality === 'cumulative') return
  variables.fail(
    `metrics.temporality: expected "cumulative" with the option cluster, received "${metrics.temporality}"`,
  )
}

/** Otherwise the SDK of OpenTelemetry decides before upkeep, and creates no spans that could be held. */
function requireParentBased({ tracing, keeping }: TelemetrySettings, variables: VariableReader): void {
  if (keeping === undefined || tracing === undefined || tracing.sampling.parentBased) return
  variables.fail(
    'keepFailedRequests: expected an OTEL_TRACES_SAMPLER with the prefix "parentbased_" with exporter: "opentelemetry"',
  )
}

function isExported(name: string, variables: VariableReader): boolean {
  return variables.read([name], oneOf('otlp', 'none')) !== 'none'
}

function faultsOf(options: TelemetryOptions): readonly string[] {
  const schema = optionsSchema()
  const { success, error } = schema.safeParse(withoutFlags(options))
  if (success) return []
  return describeOptionErrors(error.issues as readonly OptionIssue[], {
    options,
    schema: schema as OptionSchema,
    isSecret: (path) => path.includes('headers'),
  })
}

/** `false` or `true` instead of an object needs no validation. */
function withoutFlags(options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return options
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => (isFlag(key, value) ? [key, undefined] : [key, value])),
  )
}

function isFlag(key: string, value: unknown): boolean {
  return key === 'keepFailedRequests'
    ? typeof value === 'boolean'
    : value === false && (key === 'tracing' || key === 'metrics' || key === 'logs')
}

/**
 * Merges resource attributes; later ones take precedence. The application of the management comes first, so that
 * operators can override it by variables; options of `startTelemetry` come last.
 */
function resourceSettings(
  { management, application, resource }: TelemetryOptions,
  variables: VariableReader,
  instanceId: () => string,
): ResourceAttributes {
  const name = variables.read(['OTEL_SERVICE_NAME'], aText)
  const attributes: ResourceAttributes = {
    ...named(management.application),
    ...variables.read(['OTEL_RESOURCE_ATTRIBUTES'], pairs),
    ...(name === undefined ? {} : { 'service.name': name }),
    ...resource,
    ...named(application),
  }
  return 'service.instance.id' in attributes ? attributes : { ...attributes, 'service.instance.id': instanceId() }
}

function named(application: TelemetryOptions['application']): ResourceAttributes {
  if (application === undefined) return {}
  const { name, version } = application
  return { 'service.name': name, ...(version === undefined ? {} : { 'service.version': version }) }
}
