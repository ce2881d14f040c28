import type { Clock } from '../clock.ts'
import { createComponents, findComponent } from '../health/component.ts'
import { type Membership, selectMembers } from '../health/group.ts'
import type { Indicators } from '../health/indicator.ts'
import { type HealthReport, reportComponent, reportWhole } from '../health/report.ts'
import { createScope, type Scope, type ScopeOptions } from '../health/scope.ts'
import type { Status } from '../health/status.ts'
import { showReport, type View } from '../health/visibility.ts'
import type { Representation } from '../http/representation.ts'
import type { Call } from '../http/resource.ts'
import type { Endpoint } from './endpoint.ts'
import { createHttpStatus, type HttpMapping } from './http-status.ts'
import { json } from './json.ts'

/** How health is judged, to whom it is shown, and how HTTP says it. */
export interface HealthViewOptions extends ScopeOptions {
  /** The HTTP status of each health status; replaces the default. @default { DOWN: 503, OUT_OF_SERVICE: 503 } */
  readonly httpMapping?: HttpMapping | undefined
}

/** A group: its members, and what it does otherwise than health as a whole. */
export interface HealthGroupOptions extends Membership, HealthViewOptions {}

export interface HealthOptions extends HealthViewOptions {
  readonly indicators?: Indicators | undefined
  /** Groups by name. `liveness` and `readiness` are there unless they are defined anew. */
  readonly groups?: Readonly<Record<string, HealthGroupOptions>> | undefined
}

/** What can be asked as one: a scope of components, and how HTTP says its status. */
interface Subject {
  readonly scope: Scope
  readonly httpStatus: (status: Status) => number
}

const probes: Readonly<Record<string, HealthGroupOptions>> = {
  liveness: { include: ['livenessState'], showDetails: 'never', showComponents: 'never' },
  readiness: { include: ['readinessState'], showDetails: 'never', showComponents: 'never' },
}

/**
 * `health`, `health/{component…}`, and `health/{group}` with the probes `liveness` and `readiness`.
 *
 * @throws RangeError, TypeError naming the indicator, group or member that is none.
 */
export function healthEndpoint({ indicators = {}, groups = {}, ...view }: HealthOptions, clock: Clock): Endpoint {
  const components = createComponents(indicators, clock)
  const whole = { scope: createScope(components, view), httpStatus: createHttpStatus(view.httpMapping) }
  const subjects = new Map(
    Object.entries({ ...probes, ...groups }).map(([name, group]): [string, Subject] => {
      const members = selectMembers(name, components, group)
      const inherited = Object.hasOwn(groups, name) ? { ...view, ...defined(group) } : group
      return [name, { scope: createScope(members, inherited), httpStatus: createHttpStatus(inherited.httpMapping) }]
    }),
  )
  const groupNames = [...subjects.keys()].sort()

  async function getWhole(call: Call): Promise<Representation> {
    return represent(await reportScope(whole.scope), whole, await viewOf(whole, call), { groups: groupNames })
  }

  async function getPart(call: Call): Promise<Representation | undefined> {
    const [first = '', ...rest] = call.variables
    const group = subjects.get(first)
    if (group === undefined) return getComponent(whole, call.variables, call)
    if (rest.length > 0) return getComponent(group, rest, call)
    return represent(await reportScope(group.scope), group, await viewOf(group, call))
  }

  return {
    id: 'health',
    routes: [
      { path: 'health', link: 'health', resource: { get: getWhole } },
      { path: 'health/{*path}', link: 'health-path', resource: { get: getPart } },
    ],
  }
}

async function getComponent(
  subject: Subject,
  path: readonly string[],
  call: Call,
): Promise<Representation | undefined> {
  const { components, order } = subject.scope
  const component = findComponent(components, path)
  const view = await viewOf(subject, call)
  if (component === undefined || !view.components) return undefined
  return represent(await reportComponent(component, order), subject, view)
}

function reportScope({ components, order }: Scope): Promise<HealthReport> {
  return reportWhole(components, order)
}

function represent(report: HealthReport, { httpStatus }: Subject, view: View, extra = {}): Representation {
  return { ...json({ ...showReport(report, view), ...extra }, 'no-store'), status: httpStatus(report.status) }
}

/** What the caller may see. A probe, which sees the same whoever asks, does not wait for who that is. */
async function viewOf({ scope }: Subject, call: Call): Promise<View> {
  return scope.view(scope.isViewPersonal && (await call.identify()) !== undefined)
}

/** Options that are given, so that those that are not are inherited. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
