import type { Clock } from '../../base/clock.ts'
import { type MaybePromise, thenNow } from '../../base/maybe-promise.ts'
import type { Aggregator, HealthCheckOptions, Subject } from '../../health/aggregator.ts'
import type { ClientDiscovery } from '../../health/discovery/discovery.ts'
import type { HealthGroupMembers } from '../../health/group.ts'
import type { HealthScopeOptions, Scope } from '../../health/scope.ts'
import type { View } from '../../health/visibility.ts'
import { hasRole } from '../../http/authorize.ts'
import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { cacheHealth, createHealthRenderer, type RenderHealth } from './health-representation.ts'
import { createHttpStatus, type HttpMapping } from './http-status.ts'
import { describeJson, listSchema, stringSchema } from './json-representation.ts'
import { createTerminusRenderer } from './terminus-health.ts'

/** How statuses are aggregated, who sees components and details, and the HTTP status of each health status. */
export interface HealthViewOptions extends HealthScopeOptions {
  /** The HTTP status of each health status; replaces the default. @default { DOWN: 503, OUT_OF_SERVICE: 503 } */
  readonly httpMapping?: HttpMapping | undefined
  /**
   * The JSON of the whole and of groups: that of Spring Boot Actuator, or `{ status, info, error, details }` as of
   * @nestjs/terminus. Single components, and the groups that exist by default, have that of Actuator. @default
   * 'actuator'
   */
  readonly format?: 'actuator' | 'terminus' | undefined
  /** The roles of which `when-authorized` requires one. @default any known caller */
  readonly roles?: readonly string[] | undefined
}

/** A health group: its members, and its differences from health as a whole. */
export interface HealthGroupOptions extends HealthGroupMembers, HealthViewOptions {}

/** The health indicators, how they are checked, and how health is reported. */
export interface HealthOptions extends HealthCheckOptions, HealthViewOptions {
  /** Groups by name. `liveness` and `readiness` exist by default, and are replaced by groups of these names. */
  readonly groups?: Readonly<Record<string, HealthGroupOptions>> | undefined
  /**
   * Adds the component `diskSpace`, and one for the clients of databases, caches and brokers that the application
   * creates within a minute from now on; `discoverClients()` of `upkeep/health` begins earlier. They belong to the
   * whole health, and to a group that includes them; never to `liveness`. @default false
   */
  readonly discover?: boolean | ClientDiscovery | undefined
}

type PresentationOptions = Pick<HealthViewOptions, 'httpMapping' | 'roles' | 'format'>

interface HealthContext {
  readonly clock: Clock
  readonly isShuttingDown: () => boolean
}

/** A scope, and how its reports are presented. */
interface Presentation {
  readonly scope: Scope
  /** Callers with one of these count as authorized; all known callers by default. */
  readonly roles: readonly string[] | undefined
  readonly render: RenderHealth
  /** Renders one component. Not cached. */
  readonly renderComponent: RenderHealth
}

/** `health`, `health/{component…}` and `health/{group}`, among which are the probes `liveness` and `readiness`. */
export function healthEndpoint(
  { whole, groups, find }: Aggregator,
  { groups: definitions = {}, ...view }: PresentationOptions & Pick<HealthOptions, 'groups'>,
  { clock, isShuttingDown }: HealthContext,
): Endpoint {
  const present = createPresent(isShuttingDown)
  const wholeAs = present(whole, view, { groups: [...groups.keys()] })
  const groupsAs = new Map(
    [...groups].map(([name, scope]) => {
      // Default probes do not inherit the options of health.
      if (!Object.hasOwn(definitions, name)) return [name, present(scope, {})] as const
      const { httpMapping = view.httpMapping, roles = view.roles, format = view.format } = definitions[name] ?? {}
      return [name, present(scope, { httpMapping, roles, format })] as const
    }),
  )

  const getWhole = (call: Call) => getReport(wholeAs, call)

  function getPart(call: Call): MaybePromise<Representation | undefined> {
    const subject = find(call.variables)
    const presentation =
      groupsAs.get(subject === undefined ? (call.variables[0] ?? '') : (subject.group ?? '')) ?? wholeAs
    return subject === undefined || subject.isComponent
      ? getComponent(subject, presentation, call)
      : getReport(presentation, call)
  }

  function getReport({ scope, roles, render }: Presentation, call: Call): MaybePromise<Representation> {
    return thenNow(scope.report(clock.monotonicTime()), (report) =>
      thenNow(viewOf(scope, roles, call), (view) => render(report, view)),
    )
  }

  /** Identifies the caller in any case: one who may not see components must not learn whether one exists. */
  function getComponent(
    subject: Subject | undefined,
    { scope, roles, renderComponent }: Presentation,
    call: Call,
  ): MaybePromise<Representation | undefined> {
    return thenNow(viewOf(scope, roles, call), (view) => {
      if (subject === undefined || !view.components) return undefined
      return thenNow(subject.report(clock.monotonicTime()), (report) => report && renderComponent(report, view))
    })
  }

  return {
    id: 'health',
    routes: [
      { path: 'health', resource: { access: 'public', get: getWhole } },
      { path: 'health/{*path}', resource: { access: 'public', get: getPart } },
    ],
    describe: () => describeHealth(view.format),
  }
}

function describeHealth(format: HealthViewOptions['format'] = 'actuator'): EndpointDescription {
  const components = { type: 'object', additionalProperties: { type: 'object' } }
  const ofFormat = {
    actuator: { components, details: { type: 'object' }, groups: listSchema(stringSchema) },
    terminus: { info: components, error: components, details: components },
  }
  const examples = { actuator: ['UP', 'DOWN'], terminus: ['ok', 'error'] }
  const schema = {
    type: 'object',
    properties: { status: { type: 'string', examples: examples[format] }, ...ofFormat[format] },
    required: ['status'],
  }
  const describeGet = (summary: string) => {
    const content = describeJson(schema, 'health-report')
    const responses = [
      { status: 200, description: summary, content },
      { status: 503, description: 'The status is DOWN or OUT_OF_SERVICE.', content },
    ]
    return { GET: { summary, responses } }
  }
  return {
    health: describeGet('The health of the application.'),
    'health/{*path}': describeGet('The health of a component or a group, such as the probes liveness and readiness.'),
  }
}

function createPresent(isShuttingDown: () => boolean) {
  return (scope: Scope, { httpMapping, roles, format }: PresentationOptions, extra = {}): Presentation => {
    const httpStatus = createHttpStatus(httpMapping)
    const render =
      format === 'terminus'
        ? createTerminusRenderer({ httpStatus, isShuttingDown })
        : createHealthRenderer(httpStatus, extra)
    return { scope, roles, render: cacheHealth(render), renderComponent: createHealthRenderer(httpStatus) }
  }
}

/** Returns what the caller may see. Does not identify the caller where the view is the same for all, as for probes. */
function viewOf(scope: Scope, roles: readonly string[] | undefined, call: Call): MaybePromise<View> {
  if (!scope.isViewPersonal) return scope.view(false)
  return thenNow(call.identify(), (principal) =>
    scope.view(principal !== undefined && (roles === undefined || hasRole(principal, roles))),
  )
}
