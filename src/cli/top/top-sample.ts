import type { ApplicationFacts, Finding, Limits, VitalName } from '../../console/documents.ts'
import { isObject } from '../doctor/service/request.ts'

/** What is known of a service at a time, from its console or its meters. `null` is what is not known. */
export interface TopSample {
  /** Milliseconds since the epoch, by the clock of the service if it shows that. */
  readonly at: number
  readonly source: 'console' | 'metrics'
  readonly application: { readonly [name in keyof ApplicationFacts]?: ApplicationFacts[name] | undefined }
  readonly health: {
    readonly status: string
    readonly liveness: string | undefined
    readonly readiness: string | undefined
    readonly components: Readonly<Record<string, string>>
  }
  readonly vitals: { readonly [name in VitalName | 'mean' | 'maximum']: number | null }
  readonly limits: { readonly [name in keyof Limits]: number | null }
  readonly findings: readonly Pick<Finding, 'severity' | 'text'>[]
  /** `undefined` if they were not requested. */
  readonly routes: readonly TopRoute[] | undefined
  readonly members: readonly string[]
}

export type TopRoute = {
  /** Empty if the service does not show it. */
  readonly method: string
  readonly route: string
} & { readonly [name in RouteValue]: number | null }

export const routeValues = ['rate', 'requests', 'errors', 'p50', 'p95', 'p99', 'mean', 'maximum'] as const

type RouteValue = (typeof routeValues)[number]

/** What a source is asked for. */
export interface TopQuery {
  readonly member: string | undefined
  readonly filter: string
  /** Whether routes are shown: each is a request of its own without a console. */
  readonly withRoutes: boolean
}

/** Reads samples of a service. Rejects with a message of one line. */
export interface TopSource {
  readonly read: (query: TopQuery) => Promise<TopSample>
}

export const noVitals: TopSample['vitals'] = {
  ...{ requestRate: null, errorRate: null, p50: null, p95: null, p99: null, mean: null, maximum: null, active: null },
  ...{ loopDelay: null, loopUtilization: null, cpu: null, rss: null, heapUsed: null, heapTotal: null },
  ...{ external: null, gc: null },
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Reads a JSON object; `undefined` if the service has none at the path. */
export type ReadDocument = (path: string) => Promise<JsonObject | undefined>

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** Returns the numbers of an object by these names. */
export function numbersOf<N extends string>(object: JsonObject, names: readonly N[]): { [name in N]: number | null } {
  // Safe: it has every name.
  return Object.fromEntries(names.map((name) => [name, numberOf(object[name])])) as { [name in N]: number | null }
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
