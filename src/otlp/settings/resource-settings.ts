import { aText, pairs } from './grammars.ts'
import type { ResourceAttributes, TelemetryOptions } from './telemetry-options.ts'
import type { VariableReader } from './variables.ts'

/**
 * Merges resource attributes; later ones take precedence. The application of the management comes first, so that
 * operators can override it by variables; options of `startTelemetry` come last.
 */
export function resourceSettings(
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
