import type { Clock } from '../../base/clock.ts'
import { type MaybePromise, thenNow } from '../../base/maybe-promise.ts'
import type { Aggregator, HealthCheckOptions, Subject } from '../../health/aggregator.ts'
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

/** How statuses are aggregated, who sees components and details, and the HTTP status of each health status. */
export interface HealthViewOptions extends HealthScopeOptions {
  /** The HTTP status of each health status; replaces the default. @default { DOWN: 503, OUT_OF_SERVICE: 503 } */
  readonly httpMapping?: HttpMapping | undefined
  /** The roles of which `when-authorized` requires one. @default any known caller */
  readonly roles?: readonly string[] | undefined
}

/** A health group: its members, and its differences from health as a whole. */
export interface HealthGroupOptions extends HealthGroupMembers, HealthViewOptions {}

/** The health indicators, how they are checked, and how health is reported. */
export interface HealthOptions extends HealthCheckOptions, HealthViewOptions {
  /** Groups by name. `liveness` and `readiness` exist by default, and are replaced by groups of these names. */
  readonly groups?: Readonly<Record<string, HealthGroupOptions>> | undefined
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
  { groups: definitions = {}, ...view }: Pick<HealthOptions, 'httpMapping' | 'roles' | 'groups'>,
  clock: Clock,
): Endpoint {
  const wholeAs = present(whole, view, { groups: [...groups.keys()] })
  const groupsAs = new Map(
    [...groups].map(([name, scope]) => {
      // Default probes do not inherit the options of health.
      if (!Object.hasOwn(definitions, name)) return [name, present(scope, {})] as const
      const { httpMapping = view.httpMapping, roles = view.roles } = definitions[name] ?? {}
      return [name, present(scope, { httpMapping, roles })] as const
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
    describe,
  }
}

function describe(): EndpointDescription {
  const schema = {
    type: 'object',
    properties: {
      status: { type: 'string', examples: ['UP', 'DOWN'] },
      components: { type: 'object', additionalProperties: { type: 'object' } },
      details: { type: 'object' },
      groups: listSchema(stringSchema),
    },
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

function present(
  scope: Scope,
  { httpMapping, roles }: Pick<HealthViewOptions, 'httpMapping' | 'roles'>,
  extra = {},
): Presentation {
  const httpStatus = createHttpStatus(httpMapping)
  const render = cacheHealth(createHealthRenderer(httpStatus, extra))
  return { scope, roles, render, renderComponent: createHealthRenderer(httpStatus) }
}

/** Returns what the caller may see. Does not identify the caller where the view is the same for all, as for probes. */
function viewOf(scope: Scope, roles: readonly string[] | undefined, call: Call): MaybePromise<View> {
  if (!scope.isViewPersonal) return scope.view(false)
  return thenNow(call.identify(), (principal) =>
    scope.view(principal !== undefined && (roles === undefined || hasRole(principal, roles))),
  )
}
