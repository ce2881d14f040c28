import type { Clock } from '../../base/clock.ts'
import { type MaybePromise, thenNow } from '../../base/maybe-promise.ts'
import type { Aggregator, CheckingOptions, Subject } from '../../health/aggregator.ts'
import type { Membership } from '../../health/group.ts'
import type { Scope, ScopeOptions } from '../../health/scope.ts'
import type { View } from '../../health/visibility.ts'
import { hasRole } from '../../http/authorize.ts'
import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Endpoint } from './endpoint.ts'
import { createHttpStatus, type HttpMapping } from './http-status.ts'
import { createShowHealth, keepShown, type ShowHealth } from './shown-health.ts'

/** How health is judged, to whom it is shown, and how HTTP says it. */
export interface HealthViewOptions extends ScopeOptions {
  /** The HTTP status of each health status; replaces the default. @default { DOWN: 503, OUT_OF_SERVICE: 503 } */
  readonly httpMapping?: HttpMapping | undefined
  /** Whom `when-authorized` is for: who is known and has one of these roles. @default whoever is known */
  readonly roles?: readonly string[] | undefined
}

/** A group: its members, and what it does otherwise than health as a whole. */
export interface HealthGroupOptions extends Membership, HealthViewOptions {}

export interface HealthOptions extends CheckingOptions, HealthViewOptions {
  /** Groups by name. `liveness` and `readiness` are there unless they are defined anew. */
  readonly groups?: Readonly<Record<string, HealthGroupOptions>> | undefined
}

/** What is asked as one, and how its reports are shown. */
interface Presentation {
  readonly scope: Scope
  /** Of who is known, who counts as authorized; everybody where it is undefined. */
  readonly roles: readonly string[] | undefined
  readonly show: ShowHealth
  readonly showPart: ShowHealth
}

/** `health`, `health/{component…}`, and `health/{group}` with the probes `liveness` and `readiness`. */
export function healthEndpoint(
  { whole, groups, find }: Aggregator,
  { groups: definitions = {}, ...view }: Pick<HealthOptions, 'httpMapping' | 'roles' | 'groups'>,
  clock: Clock,
): Endpoint {
  const wholeAs = present(whole, view, { groups: [...groups.keys()] })
  const groupsAs = new Map(
    [...groups].map(([name, scope]) => {
      // Probes that the application did not define do not do as health does.
      if (!Object.hasOwn(definitions, name)) return [name, present(scope, {})] as const
      const { httpMapping = view.httpMapping, roles = view.roles } = definitions[name] ?? {}
      return [name, present(scope, { httpMapping, roles })] as const
    }),
  )

  const getWhole = (call: Call) => answer(wholeAs, call)

  function getPart(call: Call): MaybePromise<Representation | undefined> {
    const subject = find(call.variables)
    const presentation =
      groupsAs.get(subject === undefined ? (call.variables[0] ?? '') : (subject.group ?? '')) ?? wholeAs
    return subject === undefined || subject.isComponent
      ? answerPart(subject, presentation, call)
      : answer(presentation, call)
  }

  function answer({ scope, roles, show }: Presentation, call: Call): MaybePromise<Representation> {
    return thenNow(scope.report(clock.monotonicTime()), (report) =>
      thenNow(viewOf(scope, roles, call), (view) => show(report, view)),
    )
  }

  /** Who may not see components is not told whether there is one: who is asking is found out in any case. */
  function answerPart(
    subject: Subject | undefined,
    { scope, roles, showPart }: Presentation,
    call: Call,
  ): MaybePromise<Representation | undefined> {
    return thenNow(viewOf(scope, roles, call), (view) => {
      if (subject === undefined || !view.components) return undefined
      return thenNow(subject.report(clock.monotonicTime()), (report) => showPart(report, view))
    })
  }

  return {
    id: 'health',
    routes: [
      { path: 'health', link: 'health', resource: { get: getWhole } },
      { path: 'health/{*path}', link: 'health-path', resource: { get: getPart } },
    ],
  }
}

function present(
  scope: Scope,
  { httpMapping, roles }: Pick<HealthViewOptions, 'httpMapping' | 'roles'>,
  extra = {},
): Presentation {
  const httpStatus = createHttpStatus(httpMapping)
  const show = keepShown(createShowHealth(httpStatus, extra))
  return { scope, roles, show, showPart: createShowHealth(httpStatus) }
}

/** What the caller may see. A probe, which sees the same whoever asks, does not wait for who that is. */
function viewOf(scope: Scope, roles: readonly string[] | undefined, call: Call): MaybePromise<View> {
  if (!scope.isViewPersonal) return scope.view(false)
  return thenNow(call.identify(), (principal) =>
    scope.view(principal !== undefined && (roles === undefined || hasRole(principal, roles))),
  )
}
