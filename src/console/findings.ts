import type { Finding, HealthNode, Limits, PoolFacts, RouteFacts, Vitals } from './documents.ts'
import type { LoopBlock } from './loop-blocks.ts'
import type { History } from './vitals/history.ts'

/** What the findings are read from. */
export interface FindingsInput {
  readonly now: number
  readonly vitals: Vitals
  readonly limits: Limits
  readonly health: HealthNode | undefined
  readonly reasonOf: (path: string) => string | undefined
  /** Returns the longest block of the event loop since a time, if the flight recorder has captured one. */
  readonly blockSince: (earliest: number) => LoopBlock | undefined
  readonly pools: readonly PoolFacts[]
  readonly routes: readonly RouteFacts[]
  readonly seconds: History
  readonly minutes: History
}

/** Requests of a route from which its figures mean something. */
const minimumRequests = 20

const maxFindings = 20

/** Returns what is wrong now, the most important first: what is measured, each with a link to its evidence. */
export function findFindings(input: FindingsInput): readonly Finding[] {
  const all = [
    ...ofHealth(input),
    ...ofErrors(input),
    ...ofLoop(input),
    ...ofMemory(input),
    ...ofPools(input),
    ...ofLatency(input),
  ]
  const rank = ({ severity }: Finding) => (severity === 'critical' ? 0 : 1)
  return all.sort((one, other) => rank(one) - rank(other)).slice(0, maxFindings)
}

function ofHealth({ health, now, reasonOf }: FindingsInput): readonly Finding[] {
  if (health === undefined) return []
  return leavesOf(health)
    .filter(({ status }) => status === 'DOWN' || status === 'OUT_OF_SERVICE')
    .map(({ path, status, since, details }) => {
      const reason = reasonOf(path) ?? (typeof details?.['error'] === 'string' ? details['error'] : undefined)
      const duration = since === undefined || now - since < 1_000 ? '' : ` for ${formatAge((now - since) / 1_000)}`
      return {
        ...({ kind: 'health', severity: 'critical', since } as const),
        text: `${path} is ${status}${duration}${reason === undefined ? '' : `: ${reason}`}`,
        link: `#/health?component=${encodeURIComponent(path)}`,
      }
    })
}

function leavesOf(node: HealthNode): readonly HealthNode[] {
  return node.components.length === 0 ? [node] : node.components.flatMap(leavesOf)
}

function ofErrors({ routes }: FindingsInput): readonly Finding[] {
  return routes
    .filter(({ requests, errors }) => requests >= minimumRequests && errors / requests > 0.05)
    .sort((one, other) => other.errors - one.errors)
    .slice(0, 3)
    .map(({ method, route, requests, errors }) => ({
      kind: 'errors',
      severity: errors / requests > 0.25 ? 'critical' : 'warning',
      text: `${Math.round((100 * errors) / requests)} % of ${requests} requests to ${method} ${route} failed`,
      link: routeLink(method, route),
    }))
}

function ofLoop({ now, seconds, blockSince }: FindingsInput): readonly Finding[] {
  const delay = Math.max(0, ...seconds.valuesOf('loopDelay', 60).map((value) => value ?? 0))
  const block = blockSince(now - 60_000)
  const longest = Math.max(delay, block?.seconds ?? 0)
  if (longest < 0.5) return []
  const severity = longest >= 2 ? 'critical' : 'warning'
  // The samples measure a block a little longer or shorter than the recorder does.
  const isCaptured = block !== undefined && block.seconds > 0.8 * delay
  const cause = isCaptured && block.place !== undefined ? ` by ${block.place},` : ''
  const text = `The event loop was blocked for ${formatAge(longest)}${cause} in the last minute`
  const link = isCaptured ? `#/diagnostics?capture=${encodeURIComponent(block.captureId)}` : '#/diagnostics'
  return [{ kind: 'event-loop', severity, text, link }]
}

function ofMemory({ vitals: { rss, heapUsed, gc }, limits }: FindingsInput): readonly Finding[] {
  const findings: Finding[] = []
  const link = '#/overview'
  const add = (used: number | null, limit: number, what: string) => {
    const share = (used ?? 0) / limit
    if (share <= 0.9) return
    const severity = share > 0.97 ? 'critical' : 'warning'
    findings.push({ kind: 'memory', severity, text: `${what} is at ${Math.round(100 * share)} % of its limit`, link })
  }
  add(rss, limits.memory, 'The memory of the process')
  add(heapUsed, limits.heap, 'The heap')
  if ((gc ?? 0) > 0.25) {
    const text = `Garbage collection takes ${Math.round(100 * (gc ?? 0))} % of the time`
    findings.push({ kind: 'gc', severity: 'warning', text, link })
  }
  return findings
}

function ofPools({ pools }: FindingsInput): readonly Finding[] {
  return pools
    .filter(({ used, maximum, waiting }) => waiting > 0 && maximum !== undefined && used >= maximum)
    .map(({ name, used, waiting }) => ({
      ...({ kind: 'pool', severity: 'warning', link: '#/dependencies' } as const),
      text: `The pool ${name} is exhausted: ${used} connections in use, ${waiting} waiting`,
    }))
}

function ofLatency(input: FindingsInput): readonly Finding[] {
  const routes = ofRouteLatency(input)
  return routes.length > 0 ? routes : ofLatencyOfAll(input)
}

/** The 99th percentiles of routes beside what they usually are. */
function ofRouteLatency({ routes }: FindingsInput): readonly Finding[] {
  return routes
    .flatMap(({ method, route, requests, p99, usualP99 }) => {
      if (requests < minimumRequests || p99 === null || usualP99 === undefined) return []
      return isSlower(p99, usualP99) ? [{ method, route, p99, times: Math.round(p99 / usualP99) }] : []
    })
    .sort((one, other) => other.times - one.times)
    .slice(0, 3)
    .map(({ method, route, p99, times }) => ({
      kind: 'latency',
      severity: 'warning',
      text: `The 99th percentile of ${method} ${route} is ${formatAge(p99)}, ${times} times what it usually is`,
      link: routeLink(method, route),
    }))
}

function isSlower(now: number, before: number): boolean {
  return now >= 0.05 && now >= 4 * before
}

/** The 99th percentile of a minute beside that of an hour, of all requests. */
function ofLatencyOfAll({ vitals: { p99 }, minutes, seconds }: FindingsInput): readonly Finding[] {
  const hour = minutes.valuesOf('p99', 60).filter((value) => value !== null)
  const recent = seconds.valuesOf('p99', 60).filter((value) => value !== null)
  if (hour.length < 10 || recent.length < minimumRequests || p99 === null) return []
  const before = middleOf(hour)
  const now = middleOf(recent)
  if (!isSlower(now, before)) return []
  const times = Math.round(now / before)
  const text = `The 99th percentile of all requests is ${formatAge(now)}, ${times} times that of the last hour`
  return [{ kind: 'latency', severity: 'warning', text, link: '#/requests?sort=p99' }]
}

function middleOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function routeLink(method: string, route: string): string {
  return `#/requests?method=${encodeURIComponent(method)}&route=${encodeURIComponent(route)}`
}

/** Returns a duration in its largest units, such as `2 min` or `1.2 s`. */
function formatAge(seconds: number): string {
  if (seconds < 1) return `${Math.round(1_000 * seconds)} ms`
  if (seconds < 10) return `${Math.round(10 * seconds) / 10} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
