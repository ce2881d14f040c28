import type { Clock } from '../base/clock.ts'
import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import { contain, type Report } from '../base/report.ts'
import type { Aggregator } from '../health/aggregator.ts'
import type { EndedRequest } from '../instrumentation/http-server/ended-request.ts'
import type { OwnObservation } from '../instrumentation/observation.ts'
import { addLogSink } from '../logging/events/sinks.ts'
import type { LevelChanges } from '../logging/levels/level-changes.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import { currentTracing } from '../tracing/current-tracing.ts'
import { addSpanSink } from '../tracing/spans/span-recorder.ts'
import { type ConsoleOptions, shares } from './console-options.ts'
import type {
  Finding,
  HealthDocument,
  HealthNode,
  OverviewDocument,
  RequestDocument,
  RequestsDocument,
} from './documents.ts'
import { findFindings } from './findings.ts'
import { HealthHistory, statusesOf, withoutDetails } from './health-history.ts'
import { LogTail } from './log-tail.ts'
import { type CaptureFacts, LoopBlocks } from './loop-blocks.ts'
import { applicationFacts, readLimits } from './process-facts.ts'
import { RequestLog } from './requests/request-log.ts'
import { RouteStatistics, windowOf } from './requests/route-statistics.ts'
import { showRunning } from './requests/running-requests.ts'
import { SpanLog } from './requests/span-log.ts'
import { Dependencies } from './screens/dependencies.ts'
import { measureProcess } from './vitals/process-vitals.ts'
import { Sampler } from './vitals/vital-samples.ts'
import { explain } from './why/explain.ts'
import type { WhyDocument } from './why/why-document.ts'
import { WhyHistories } from './why/why-histories.ts'

/** What the console shows. */
export interface ConsoleParts {
  readonly options: ConsoleOptions
  readonly application: { readonly name: string; readonly version?: string | undefined } | undefined
  /** Whether the commit of the build is shown. */
  readonly showsCommit: boolean
  readonly levelChanges: Pick<LevelChanges, 'recent'> | undefined
  readonly observation: Pick<OwnObservation, 'onRequestEnd' | 'activeRequests' | 'redactPath'>
  readonly aggregator: Pick<Aggregator, 'whole' | 'groups' | 'runChecks' | 'latestRunOf' | 'onChange'>
  /** Whether the details of components are shown. */
  readonly showsDetails: boolean
  readonly source: () => SnapshotSource
  /** Calls a function with each capture of the flight recorder. */
  readonly onCapture: (listener: (capture: CaptureFacts) => void) => void
  readonly clock: Clock
  readonly report: Report
}

const sampleMilliseconds = 1_000
const samplesPerTurn = 60
const maxRunning = 50

/** Which requests are listed. */
export interface RequestFilter {
  readonly route?: string | undefined
  readonly method?: string | undefined
  readonly limit: number
}

/** The histories of the console, from its creation until `close`. */
export interface Console {
  readonly sampler: Sampler
  readonly logs: LogTail
  readonly dependencies: Dependencies
  readonly application: OverviewDocument['application']
  overview(): MaybePromise<Omit<OverviewDocument, 'viewers' | 'links' | 'members'>>
  /** Returns what is wrong by what is known already: runs no check. */
  findings(health: HealthNode | undefined): readonly Finding[]
  requests(filter: RequestFilter): RequestsDocument
  request(id: string): RequestDocument | undefined
  /** With `isFresh`, checks run also if their latest results are cached. */
  health(isFresh?: boolean): MaybePromise<HealthDocument>
  /** Returns what is wrong now and in the last 15 minutes, with its evidence. */
  why(): MaybePromise<WhyDocument>
  close(): void
}

/** Starts to keep what the console shows. */
export function startConsole(parts: ConsoleParts): Console {
  const { clock, observation, aggregator, showsDetails } = parts
  const { maximumBytes = 4 * 2 ** 20, slowSeconds = 1 } = parts.options
  const report = contain(parts.report)
  const measured = measureProcess(clock)
  const dependencies = new Dependencies(parts.source, clock)
  const sampler = new Sampler({ clock, process: measured, active: () => activeRequests(parts.source()) })
  const available = maximumBytes - sampler.bytes
  const routes = new RouteStatistics(available * shares.routes)
  const log = new RequestLog({
    maximumBytes: available * shares.requests,
    slowSeconds,
    redactPath: observation.redactPath,
  })
  const spans = new SpanLog(available * shares.spans)
  const logs = new LogTail(available * shares.logs)
  const history = new HealthHistory(clock, aggregator.latestRunOf, available * shares.health)
  const blocks = new LoopBlocks()
  parts.onCapture((capture) => blocks.add(capture))
  const application = applicationFacts(parts.application, parts.showsCommit, clock)
  const limits = readLimits()
  const byMinute = new WhyHistories({ clock, source: parts.source, calls: () => dependencies.calls() })

  const record = (request: EndedRequest) => {
    sampler.requests.record(request)
    routes.record(request)
    byMinute.record(request)
    const isKept = log.record(request)
    if (isKept && request.trace !== undefined) spans.keep(request.trace.traceId)
  }
  const ends = [
    observation.onRequestEnd(record),
    addSpanSink((span) => spans.add(span)),
    addLogSink((event) => {
      logs.add(event)
      byMinute.addLog(event)
    }),
    aggregator.onChange((change) => history.add(change)),
    measured.close,
  ]
  let samples = 0
  const timer = setInterval(() => {
    try {
      byMinute.sample(sampler.sample())
      samples += 1
      if (samples % samplesPerTurn === 0) dependencies.turn()
    } catch (error) {
      report('the console failed to take a sample', error)
    }
  }, sampleMilliseconds)
  timer.unref()

  const timeOrigin = () => clock.wallTime() - clock.monotonicTime()
  const routeFacts = () => routes.read(clock.monotonicTime(), timeOrigin())
  const showHealth = () =>
    thenNow(aggregator.whole.report(clock.monotonicTime()), (health) => {
      const node = history.show(health)
      return showsDetails ? node : withoutDetails(node)
    })
  const statusOf = (group: string): MaybePromise<string> => {
    const scope = aggregator.groups.get(group)
    return scope === undefined ? 'UNKNOWN' : thenNow(scope.report(clock.monotonicTime()), ({ status }) => status)
  }

  const showGroups = (root: HealthNode): MaybePromise<HealthDocument> => {
    const names = [...aggregator.groups.keys()]
    const statuses = names.map(statusOf)
    const show = (known: readonly string[]): HealthDocument => ({
      ...{ now: clock.wallTime(), root, changes: history.read() },
      groups: Object.fromEntries(names.map((name, at) => [name, known[at] ?? 'UNKNOWN'])),
    })
    return statuses.some((status) => status instanceof Promise)
      ? Promise.all(statuses).then(show)
      : // Safe: none is a promise.
        show(statuses as readonly string[])
  }

  const findings = (health: HealthNode | undefined): readonly Finding[] =>
    findFindings({
      ...{ now: clock.wallTime(), vitals: sampler.latest, limits, health, pools: dependencies.pools() },
      ...{ routes: routeFacts().routes, seconds: sampler.seconds, minutes: sampler.minutes },
      blockSince: (earliest) => blocks.longestSince(earliest),
      reasonOf: (path) => history.latestOf(path, 'DOWN')?.reason,
    })
  const why = (health: HealthNode): WhyDocument => {
    const [monotonicNow, source] = [clock.monotonicTime(), parts.source()]
    // A sample may be a second old, in which a leak under load allocates much.
    const { heapUsed, rss } = process.memoryUsage()
    const vitals = { ...sampler.latest, heapUsed, rss }
    return explain(
      {
        ...{ now: clock.wallTime(), monotonicNow, startedAt: application.startedAt, vitals, limits },
        ...{ health, changes: history.read(), levels: parts.levelChanges?.recent ?? [] },
        ...{ pools: dependencies.pools(), seconds: sampler.seconds },
        ...byMinute.read(windowOf(monotonicNow), source),
        ...{ routes, requests: log, spans, histories: byMinute },
        blockSince: (earliest) => blocks.longestSince(earliest),
      },
      application,
    )
  }
  const bytes = () => sampler.bytes + routes.bytes + log.bytes + spans.bytes + logs.bytes + history.bytes

  return {
    ...{ sampler, logs, dependencies, application, findings },
    overview: () =>
      thenNow(showHealth(), (health) =>
        thenNow(statusOf('liveness'), (liveness) =>
          thenNow(statusOf('readiness'), (readiness) => ({
            ...{ now: clock.wallTime(), application, findings: findings(health) },
            health: { status: health.status, liveness, readiness, components: statusesOf(health) },
            ...{ vitals: sampler.latest, limits, pools: dependencies.pools() },
            history: { maximumBytes, bytes: bytes(), droppedRecords: logs.dropped },
          })),
        ),
      ),
    requests({ route, method, limit }) {
      const read = routeFacts()
      const isShown = (request: { readonly route?: string | undefined; readonly method: string }) =>
        (route === undefined || request.route === route) && (method === undefined || request.method === method)
      const recent = log.read(timeOrigin()).filter(isShown).slice(0, limit)
      const { total, oldest } = observation.activeRequests(maxRunning)
      const running = showRunning(oldest, observation.redactPath, timeOrigin())
      const omitted = { omittedRequests: routes.refused, omittedRunning: total - running.length }
      return { now: clock.wallTime(), ...read, ...omitted, running, recent }
    },
    request(id) {
      const request = log.find(id, timeOrigin())
      if (request === undefined) return undefined
      const { traceId } = request
      const found = traceId === undefined ? [] : spans.read(traceId)
      const records = traceId === undefined ? [] : [...logs.read({ traceId, limit: 200 }).records].reverse()
      const withoutSpans = found.length > 0 ? undefined : whyWithoutSpans(traceId)
      return { now: clock.wallTime(), request, spans: found, withoutSpans, logs: records }
    },
    health: (isFresh = false) =>
      thenNow(isFresh ? aggregator.runChecks() : undefined, () => thenNow(showHealth(), showGroups)),
    why: () => thenNow(showHealth(), why),
    close() {
      clearInterval(timer)
      for (const end of ends) end()
      spans.clear()
      logs.clear()
    },
  }
}

/** Returns the number of requests in progress, by the meters of either convention. */
function activeRequests(source: SnapshotSource): number | null {
  let active: number | null = null
  for (const name of ['http.server.requests.active', 'http.server.active_requests']) {
    for (const snapshot of source.snapshot(name)) {
      if (snapshot.kind === 'longTaskTimer') active = (active ?? 0) + snapshot.activeTasks
      if (snapshot.kind === 'gauge') active = (active ?? 0) + snapshot.value
    }
  }
  return active
}

function whyWithoutSpans(traceId: string | undefined): string {
  if (currentTracing() === undefined) return 'Tracing is off. Start it with startTelemetry, or with the option tracing.'
  if (traceId === undefined) return 'The request was not traced.'
  return 'No spans of this trace are kept: it was not sampled, they were dropped, or an OpenTelemetry SDK records them.'
}
