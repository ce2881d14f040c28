import type {
  CacheFacts,
  DependenciesDocument,
  DependencyFacts,
  LogsDocument,
  RequestsDocument,
  RouteFacts,
  TaskFacts,
} from '../documents.ts'
import { mergePools } from './merge-overviews.ts'
import type { OfMembers } from './of-member.ts'

/** No group has more members. */
const maxMembers = 4_096
const maxRunning = 50

/** Returns the requests of members as one. The identifier of a request begins with its member, as in `2-17`. */
export function mergeRequests(parts: OfMembers<RequestsDocument>, limit: number): RequestsDocument {
  const documents = parts.map(({ document }) => document)
  const { now } = parts[0].document
  const running = parts
    .flatMap(({ member, document }) => document.running.map((request) => ({ ...request, member })))
    .sort((one, other) => one.at - other.at)
  const omitted = Math.max(0, running.length - maxRunning)
  return {
    now,
    windowSeconds: Math.max(...documents.map(({ windowSeconds }) => windowSeconds)),
    routes: mergeBy(
      documents.flatMap(({ routes }) => routes),
      ({ method, route }) => `${method} ${route}`,
      mergeRoutes,
    ),
    omittedRequests: documents.reduce((sum, { omittedRequests }) => sum + omittedRequests, 0),
    running: running.slice(0, maxRunning),
    omittedRunning: documents.reduce((sum, { omittedRunning }) => sum + omittedRunning, omitted),
    recent: parts
      .flatMap(({ member, document }) =>
        document.recent.map((request) => ({ ...request, id: `${member}-${request.id}`, member })),
      )
      .sort((one, other) => other.at - one.at)
      .slice(0, limit),
  }
}

/** Splits the identifier of a request of all members. Returns `undefined` if it is something else. */
export function splitRequestId(id: string): { readonly slot: number; readonly id: string } | undefined {
  const [, slot, own] = /^(\d{1,6})-(\d{1,16})$/.exec(id) ?? []
  return slot === undefined || own === undefined ? undefined : { slot: Number(slot), id: own }
}

/** Returns the log records of members as one. They have no number after which the next request could begin. */
export function mergeLogs(parts: OfMembers<LogsDocument>, limit: number): LogsDocument {
  const { now } = parts[0].document
  const records = parts.flatMap(({ member, document }) =>
    document.records.map((record) => ({
      ...{ ...record, member },
      sequence: record.sequence * maxMembers + Number(member),
    })),
  )
  return {
    now,
    records: records.sort((one, other) => other.at - one.at || other.sequence - one.sequence).slice(0, limit),
    latest: 0,
    dropped: parts.reduce((sum, { document }) => sum + document.dropped, 0),
  }
}

/** Returns what members depend on as one: the calls, runs and hits of all. */
export function mergeDependencies(parts: OfMembers<DependenciesDocument>): DependenciesDocument {
  const documents = parts.map(({ document }) => document)
  const { now } = parts[0].document
  return {
    now,
    outgoing: mergeBy(
      documents.flatMap(({ outgoing }) => outgoing),
      ({ kind, target }) => `${kind} ${target}`,
      mergeCalls,
    ),
    pools: mergePools(documents.map(({ pools }) => pools)),
    tasks: mergeBy(
      documents.flatMap(({ tasks }) => tasks),
      ({ name }) => name,
      mergeTasks,
    ),
    caches: mergeBy(
      documents.flatMap(({ caches }) => caches),
      ({ name }) => name,
      mergeCaches,
    ),
    omitted: documents.reduce((sum, { omitted }) => sum + omitted, 0),
  }
}

function mergeRoutes(one: RouteFacts, other: RouteFacts): RouteFacts {
  return {
    ...{ method: one.method, route: one.route },
    rate: one.rate + other.rate,
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    p50: highest(one.p50, other.p50),
    p95: highest(one.p95, other.p95),
    p99: highest(one.p99, other.p99),
    usualP99: highest(one.usualP99, other.usualP99) ?? undefined,
    maximum: highest(one.maximum, other.maximum),
    total: one.total + other.total,
    lastAt: Math.max(one.lastAt, other.lastAt),
  }
}

function mergeCalls(one: DependencyFacts, other: DependencyFacts): DependencyFacts {
  return {
    ...{ kind: one.kind, target: one.target },
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    meanSeconds: mean([one.calls, one.meanSeconds], [other.calls, other.meanSeconds]),
    maximumSeconds: highest(one.maximumSeconds, other.maximumSeconds),
    rate: one.rate + other.rate,
    errorRate: one.errorRate + other.errorRate,
  }
}

function mergeTasks(one: TaskFacts, other: TaskFacts): TaskFacts {
  return {
    name: one.name,
    runs: one.runs + other.runs,
    failures: one.failures + other.failures,
    meanSeconds: mean([one.runs, one.meanSeconds], [other.runs, other.meanSeconds]),
    maximumSeconds: highest(one.maximumSeconds, other.maximumSeconds),
  }
}

function mergeCaches(one: CacheFacts, other: CacheFacts): CacheFacts {
  const sizes = [one.size, other.size].filter((size) => size !== undefined)
  return {
    name: one.name,
    hits: one.hits + other.hits,
    misses: one.misses + other.misses,
    size: sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0),
  }
}

function mergeBy<T>(all: readonly T[], keyOf: (one: T) => string, merge: (one: T, other: T) => T): readonly T[] {
  const merged = new Map<string, T>()
  for (const each of all) {
    const before = merged.get(keyOf(each))
    merged.set(keyOf(each), before === undefined ? each : merge(before, each))
  }
  return [...merged.values()]
}

type MaybeNumber = number | null | undefined

function highest(one: MaybeNumber, other: MaybeNumber): number | null {
  if (one == null) return other ?? null
  return other == null ? one : Math.max(one, other)
}

/** Returns the mean of all, by counts and means. */
function mean(...parts: readonly (readonly [count: number, mean: number | null])[]): number | null {
  const count = parts.reduce((sum, [each]) => sum + each, 0)
  return count === 0 ? null : parts.reduce((sum, [each, seconds]) => sum + each * (seconds ?? 0), 0) / count
}
