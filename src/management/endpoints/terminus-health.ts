import type { HealthReport } from '../../health/health-report.ts'
import { type Status, statusKey } from '../../health/status.ts'
import { showReport } from '../../health/visibility.ts'
import type { RenderHealth } from './health-representation.ts'
import { json } from './json-representation.ts'

/** The result of a check of @nestjs/terminus 12. */
interface TerminusHealth {
  readonly status: 'ok' | 'degraded' | 'error' | 'shutting_down'
  /** The components that are `up` or `degraded`. */
  readonly info: TerminusComponents
  /** The components that are `down`. */
  readonly error: TerminusComponents
  /** All components. */
  readonly details: TerminusComponents
}

type TerminusComponents = Readonly<Record<string, TerminusComponent>>
type TerminusComponent = Readonly<Record<string, unknown>> & { readonly status: ComponentStatus }
type ComponentStatus = 'up' | 'degraded' | 'down'

interface TerminusParts {
  readonly httpStatus: (status: Status) => number
  readonly isShuttingDown: () => boolean
}

/** Returns a function that creates the representation of a whole report in the format of @nestjs/terminus. */
export function createTerminusRenderer({ httpStatus, isShuttingDown }: TerminusParts): RenderHealth {
  const statusOf = (status: Status): ComponentStatus => {
    if (httpStatus(status) >= 400) return 'down'
    return isUp(status) ? 'up' : 'degraded'
  }

  function toComponent({ status, description, details = {}, components = {} }: HealthReport): TerminusComponent {
    const { error = undefined, ...rest } = details
    const message = description ?? withoutName(error)
    const parts = Object.entries(components).map(([name, part]) => [name, toComponent(part)] as const)
    return {
      ...(message !== undefined && { message }),
      ...rest,
      ...Object.fromEntries(parts),
      status: statusOf(status),
    }
  }

  function wholeStatus({ status, components = {} }: HealthReport): TerminusHealth['status'] {
    const refusesTraffic = Object.hasOwn(components, 'readinessState') && !isUp(components['readinessState']?.status)
    if (refusesTraffic && isShuttingDown()) return 'shutting_down'
    if (httpStatus(status) >= 400) return 'error'
    return Object.values(components).some((part) => statusOf(part.status) === 'degraded') ? 'degraded' : 'ok'
  }

  return (report, view) => {
    const shown = Object.entries(showReport(report, view).components ?? {})
      .map(([name, component]) => [name, toComponent(component)] as const)
      // terminus has no such components; what is wrong is shown nevertheless.
      .filter(([name, { status }]) => !(isState(name) && status === 'up'))
    const health: TerminusHealth = {
      status: wholeStatus(report),
      info: Object.fromEntries(shown.filter(([, { status }]) => status !== 'down')),
      error: Object.fromEntries(shown.filter(([, { status }]) => status === 'down')),
      details: Object.fromEntries(shown),
    }
    return { ...json(health, 'no-store'), status: httpStatus(report.status) }
  }
}

/** Of a plain error, @nestjs/terminus has the message only. */
function withoutName(error: unknown): unknown {
  return typeof error === 'string' && error.startsWith('Error: ') ? error.slice('Error: '.length) : error
}

function isUp(status: Status = 'UP'): boolean {
  return ['up', 'unknown'].includes(statusKey(status))
}

function isState(component: string): boolean {
  return component === 'livenessState' || component === 'readinessState'
}
