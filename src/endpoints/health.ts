import type { Clock } from '../clock.ts'
import type { Aggregator, CheckingOptions, Subject } from '../health/aggregator.ts'
import type { Membership } from '../health/group.ts'
import type { HealthReport } from '../health/report.ts'
import type { Scope, ScopeOptions } from '../health/scope.ts'
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

export interface HealthOptions extends CheckingOptions, HealthViewOptions {
  /** Groups by name. `liveness` and `readiness` are there unless they are defined anew. */
  readonly groups?: Readonly<Record<string, HealthGroupOptions>> | undefined
}

/** How HTTP says a status. */
type HttpStatus = (status: Status) => number

/** `health`, `health/{component…}`, and `health/{group}` with the probes `liveness` and `readiness`. */
export function healthEndpoint(
  { whole, groups, find }: Aggregator,
  { httpMapping, groups: definitions = {} }: Pick<HealthOptions, 'httpMapping' | 'groups'>,
  clock: Clock,
): Endpoint {
  const groupNames = [...groups.keys()]
  const httpStatus = createHttpStatus(httpMapping)
  const groupStatus = new Map(
    groupNames.map((name): [string, HttpStatus] => {
      // Probes that the application did not define do not do as health does.
      const mapping = Object.hasOwn(definitions, name) ? (definitions[name]?.httpMapping ?? httpMapping) : undefined
      return [name, createHttpStatus(mapping)]
    }),
  )

  async function getWhole(call: Call): Promise<Representation> {
    const report = await whole.report(clock.monotonicTime())
    return represent(report, httpStatus, await viewOf(whole, call), { groups: groupNames })
  }

  async function getPart(call: Call): Promise<Representation | undefined> {
    const subject = find(call.variables)
    if (subject === undefined || subject.isComponent) return getComponent(subject, call)
    const report = await subject.report(clock.monotonicTime())
    return represent(report, statusOf(subject), await viewOf(subject.scope, call))
  }

  /** Who may not see components is not told whether there is one: who is asking is found out in any case. */
  async function getComponent(subject: Subject | undefined, call: Call): Promise<Representation | undefined> {
    const view = await viewOf(subject?.scope ?? groups.get(call.variables[0] ?? '') ?? whole, call)
    if (subject === undefined || !view.components) return undefined
    return represent(await subject.report(clock.monotonicTime()), statusOf(subject), view)
  }

  function statusOf({ group }: Subject): HttpStatus {
    return group === undefined ? httpStatus : (groupStatus.get(group) ?? httpStatus)
  }

  return {
    id: 'health',
    routes: [
      { path: 'health', link: 'health', resource: { get: getWhole } },
      { path: 'health/{*path}', link: 'health-path', resource: { get: getPart } },
    ],
  }
}

function represent(report: HealthReport, httpStatus: HttpStatus, view: View, extra = {}): Representation {
  return { ...json({ ...showReport(report, view), ...extra }, 'no-store'), status: httpStatus(report.status) }
}

/** What the caller may see. A probe, which sees the same whoever asks, does not wait for who that is. */
async function viewOf(scope: Scope, call: Call): Promise<View> {
  return scope.view(scope.isViewPersonal && (await call.identify()) !== undefined)
}
