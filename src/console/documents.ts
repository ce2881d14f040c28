// The JSON documents of the console, one per resource below `console`: what the page, `upkeep top` and agents read. Times are
// milliseconds since the epoch by the clock of the service, durations seconds, sizes bytes, shares 0 to 1.

/** `GET console/overview`. */
export interface OverviewDocument {
  readonly now: number
  readonly application: ApplicationFacts
  /** What is wrong now, the most important first. Empty if nothing is. */
  readonly findings: readonly Finding[]
  readonly health: HealthSummary
  /** The latest sample. */
  readonly vitals: Vitals
  readonly limits: Limits
  readonly pools: readonly PoolFacts[]
  /** The histories that are kept, for the page to say. */
  readonly history: { readonly maximumBytes: number; readonly bytes: number; readonly droppedRecords: number }
  readonly viewers: { readonly current: number; readonly maximum: number }
  /** The places of the exposed endpoints that the page uses, by identifier, as paths of this server. */
  readonly links: Readonly<Record<string, string>>
  /** The numbers of the members of the cluster; empty without one. */
  readonly members: readonly string[]
}

export interface ApplicationFacts {
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly commit?: string | undefined
  readonly startedAt: number
  readonly node: string
  readonly pid: number
  readonly host: string
}

/** One thing that is wrong, in a sentence, with a link to its evidence. */
export interface Finding {
  readonly kind: 'health' | 'errors' | 'latency' | 'event-loop' | 'memory' | 'gc' | 'pool'
  readonly severity: 'critical' | 'warning'
  /** Such as `db is DOWN for 2 min: connect ECONNREFUSED`. */
  readonly text: string
  /** When it began, if that is known. */
  readonly since?: number | undefined
  /** The fragment of the screen with the evidence, such as `#/health?component=db`. */
  readonly link: string
}

interface HealthSummary {
  readonly status: string
  readonly liveness: string
  readonly readiness: string
  /** Statuses of components by path, such as `db/orders`. */
  readonly components: Readonly<Record<string, string>>
}

export interface Limits {
  /** That of the container, or of the machine. */
  readonly memory: number
  /** The size that the heap of V8 can reach. */
  readonly heap: number
  /** Processor cores that the process may use. */
  readonly cpu: number
}

export interface PoolFacts {
  readonly name: string
  readonly used: number
  readonly idle: number
  readonly maximum?: number | undefined
  readonly waiting: number
}

/** The names of the values of a sample, in the order in which a history has them. */
export const vitalNames = [
  /** Requests that ended, per second. */
  'requestRate',
  /** Of these, those with a status of 500 or more, or that were cut off without a response, per second. */
  'errorRate',
  /** Quantiles of the duration of these requests; `null` without a request. */
  'p50',
  'p95',
  'p99',
  /** Requests in progress. */
  'active',
  /** The longest delay of the event loop. One of less than 0.1 s may be missed. */
  'loopDelay',
  /** The share of the time that the event loop was not idle. */
  'loopUtilization',
  /** Processor cores used: 1 is a whole core. */
  'cpu',
  'rss',
  'heapUsed',
  'heapTotal',
  'external',
  /** The share of the time spent in garbage collection. */
  'gc',
] as const

export type VitalName = (typeof vitalNames)[number]

/** One sample. A value is `null` if there was nothing to measure. */
export type Vitals = { readonly at: number } & { readonly [name in VitalName]: number | null }

/** `GET console/history?resolution=second` (15 minutes) or `minute` (24 hours). */
export interface HistoryDocument {
  readonly now: number
  /** The seconds between two samples. */
  readonly step: number
  /** When each sample was taken, ascending. */
  readonly times: readonly number[]
  /** The values of each sample, by name. */
  readonly values: { readonly [name in VitalName]: readonly (number | null)[] }
}

/** `GET console/requests?route=…&method=…&limit=…`: a route or a method limits `recent`. */
export interface RequestsDocument {
  readonly now: number
  /** The time that the figures of the routes are about: at most the last two minutes, at least the last one. */
  readonly windowSeconds: number
  readonly routes: readonly RouteFacts[]
  /** How many requests since the start were to routes that are not listed, because of the budget. */
  readonly omittedRequests: number
  /** The requests in progress of all routes, the oldest first, at most 50. */
  readonly running: readonly RunningRequestFacts[]
  /** How many more requests are in progress. */
  readonly omittedRunning: number
  readonly recent: readonly RequestFacts[]
}

export interface RouteFacts {
  readonly method: string
  /** The template; `NOT_FOUND` or `UNKNOWN` for requests without one. */
  readonly route: string
  /** Requests per second. */
  readonly rate: number
  readonly requests: number
  /** Statuses of 500 or more, and responses that were cut off. */
  readonly errors: number
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  /** The median of `p99` in the last 60 minutes that had at least 20 requests, if there are 10 such minutes. */
  readonly usualP99?: number | undefined
  readonly maximum: number | null
  /** Since the start of the process. */
  readonly total: number
  /** When the last one ended. */
  readonly lastAt: number
}

/** A request in progress. */
export interface RunningRequestFacts {
  /** When it began. */
  readonly at: number
  readonly method: string
  /** `undefined` until the framework has found it. */
  readonly route?: string | undefined
  /** Without its query, redacted. */
  readonly path: string
  readonly traceId?: string | undefined
  /** The member of the cluster, if those of all are shown. */
  readonly member?: string | undefined
}

export interface RequestFacts {
  /** With those of all members, it begins with the member: `2-17`. */
  readonly id: string
  /** When it began. */
  readonly at: number
  readonly method: string
  readonly route?: string | undefined
  /** Without its query, redacted. */
  readonly path: string
  /** 0 if the connection was cut before a response began. */
  readonly status: number
  readonly isAborted: boolean
  readonly seconds: number
  /** The name of the error that caused the response. */
  readonly error?: string | undefined
  readonly traceId?: string | undefined
  /** Why it is kept longer than others. */
  readonly kept?: 'failed' | 'slow' | undefined
  /** The member of the cluster, if those of all are shown. */
  readonly member?: string | undefined
}

/** `GET console/requests/{id}`. */
export interface RequestDocument {
  readonly now: number
  readonly request: RequestFacts & {
    readonly errorMessage?: string | undefined
    readonly errorStack?: string | undefined
  }
  /** In the order in which they began; the first is that of the server. Empty if the request was not recorded. */
  readonly spans: readonly SpanFacts[]
  /** Why there are no spans, such as `Tracing is off.` */
  readonly withoutSpans?: string | undefined
  readonly logs: readonly LogFacts[]
}

export interface SpanFacts {
  readonly spanId: string
  readonly parentId?: string | undefined
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly at: number
  readonly seconds: number
  readonly status?: 'ok' | 'error' | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/** `GET console/health`. */
export interface HealthDocument {
  readonly now: number
  readonly root: HealthNode
  readonly groups: Readonly<Record<string, string>>
  /** The changes of the last hour, the latest first: of components by path, of the whole by an empty path. */
  readonly changes: readonly HealthChangeFacts[]
}

export interface HealthNode {
  /** The path of the component; empty for the whole. */
  readonly path: string
  readonly status: string
  /** Since when it has this status, if that is known. */
  readonly since?: number | undefined
  readonly description?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The latest run of its check. */
  readonly check?: { readonly at: number; readonly seconds: number } | undefined
  readonly components: readonly HealthNode[]
}

export interface HealthChangeFacts {
  readonly at: number
  readonly path: string
  readonly from: string
  readonly to: string
  readonly reason?: string | undefined
}

/** `GET console/meters`. */
export interface MetersDocument {
  readonly now: number
  /** By name; at most 2,000, and 500,000 characters of names and descriptions. */
  readonly meters: readonly MeterFacts[]
  readonly omittedMeters: number
}

export interface MeterFacts {
  readonly name: string
  readonly kind: string
  readonly description?: string | undefined
  readonly unit?: string | undefined
  readonly series: number
}

/** `GET console/meters/{name}?tag=key:value`: the series of a meter that have all the tags. */
export interface MeterDocument {
  readonly now: number
  readonly name: string
  readonly kind: string
  readonly description?: string | undefined
  readonly unit?: string | undefined
  /** The values of each tag among all series, at most 100 of each. */
  readonly tags: Readonly<Record<string, readonly string[]>>
  /** At most 200, and 500,000 characters of tags. */
  readonly series: readonly SeriesFacts[]
  readonly omittedSeries: number
}

export interface SeriesFacts {
  readonly tags: Readonly<Record<string, string>>
  /** By statistic, as in `metrics/{name}`: `VALUE`, `COUNT`, `TOTAL_TIME`, `TOTAL`, `MAX`, `ACTIVE_TASKS`, `DURATION`. */
  readonly values: Readonly<Record<string, number>>
  /** A query for Prometheus that shows this series: a rate of what only grows. */
  readonly promql: string
}

/** `GET console/logs?level=…&logger=…&text=…&trace=…&after=…&limit=…`. */
export interface LogsDocument {
  readonly now: number
  /** The latest first. */
  readonly records: readonly LogFacts[]
  /** The sequence number of the latest record: the next request may have it as `after`. 0 for those of all members. */
  readonly latest: number
  /** How many records were dropped from the history because of its budget. */
  readonly dropped: number
}

export interface LogFacts {
  readonly sequence: number
  readonly at: number
  readonly level: string
  readonly severity: number
  readonly logger: string
  readonly message: string
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
  readonly error?:
    | { readonly type?: string | undefined; readonly message?: string | undefined; readonly stack?: string | undefined }
    | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  /** The member of the cluster, if those of all are shown. */
  readonly member?: string | undefined
}

/** `GET console/dependencies`: since the start of the process, from the meters. */
export interface DependenciesDocument {
  readonly now: number
  /** At most 300 targets of a kind; the calls to others have the target `(others)`. */
  readonly outgoing: readonly DependencyFacts[]
  /** At most 300, as the tasks and caches. */
  readonly pools: readonly PoolFacts[]
  readonly tasks: readonly TaskFacts[]
  readonly caches: readonly CacheFacts[]
  /** How many more pools, tasks and caches there are. */
  readonly omitted: number
}

/** Calls to another system. */
export interface DependencyFacts {
  readonly kind: 'http' | 'database' | 'messaging'
  /** Its host, or the system and its database. */
  readonly target: string
  readonly calls: number
  readonly errors: number
  readonly meanSeconds: number | null
  readonly maximumSeconds: number | null
  /** Calls per second in the last one to two minutes. */
  readonly rate: number
  readonly errorRate: number
}

export interface TaskFacts {
  readonly name: string
  readonly runs: number
  readonly failures: number
  readonly meanSeconds: number | null
  readonly maximumSeconds: number | null
}

export interface CacheFacts {
  readonly name: string
  readonly hits: number
  readonly misses: number
  readonly size?: number | undefined
}
