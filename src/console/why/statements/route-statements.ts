import type { RequestExample } from '../../requests/request-log.ts'
import { type RouteWindow, windowOf } from '../../requests/route-statistics.ts'
import { type Baseline, baselineOf, failsMore, isSlower } from '../baseline.ts'
import { figure, formatSeconds, formatShare, formatTimes, plainText } from '../shown-figures.ts'
import { addTraceCosts, largestCost, type TraceCosts } from '../trace-costs.ts'
import type { Evidence, WhyStatement } from '../why-document.ts'
import type { WhyInput } from '../why-input.ts'

/** Failed requests that a statement needs: one alone is an accident. */
const minimumErrors = 3

/** Slow requests that a statement needs: a single pause delays all that are in progress. */
const minimumSlow = 5
const enoughSlow = 10
const slowShare = 0.05

/** A shorter request makes no route a suspect. */
const suspectSeconds = 0.05

const maxSuspects = 100
const maxStatements = 3
const maxTraces = 3

/** Traces whose spans are read for one statement. */
const maxReadTraces = 10

/** The routes whose share of failures, or whose 99th percentile, left their own baseline. */
export function routeStatements(input: WhyInput): readonly WhyStatement[] {
  const suspects = input.routes.suspects(input.monotonicNow, { seconds: suspectSeconds, limit: maxSuspects })
  const errors = suspects.flatMap((route) => errorsOf(route, input)).slice(0, maxStatements)
  return [...errors, ...latencyStatements(suspects, input)]
}

function errorsOf(route: RouteWindow, input: WhyInput): readonly WhyStatement[] {
  const { method, requests, errors } = route
  const share = errors / requests
  const earlier = earlierOf(route, input)
  const baseline = baselineOf(earlier.map(({ errorShare }) => errorShare))
  if (errors < minimumErrors || !failsMore(share, requests, baseline)) return []
  const examples = readExamples(route, input).filter(({ isFailed }) => isFailed)
  const exception = mostFrequent(examples.map((example) => example.exception ?? ''))
  const mostly = exception && `, mostly ${exception}`
  const cost = costOf(examples, input)
  const usual = baseline === undefined ? '' : `, usually ${formatShare(baseline.median)}`
  const name = `${method} ${plainText(route.route, 120)}`
  return [
    {
      ...({ kind: 'errors', severity: share > 0.25 ? 'critical' : 'warning' } as const),
      weight: 60 + Math.round(9 * share),
      text: `${formatShare(share)} of ${requests} requests to ${name} fail${usual}${mostly}`,
      evidence: [
        { name: `errors ${name}`, value: figure(share), baseline: baseline && figure(baseline.median), unit: 'share' },
        { name: `requests ${name}`, value: requests },
        ...costEvidence(cost),
      ],
      ...{ traces: tracesOf(examples), link: linkOf(route) },
    },
  ]
}

function latencyStatements(suspects: readonly RouteWindow[], input: WhyInput): readonly WhyStatement[] {
  return suspects
    .flatMap((route) => {
      const baseline = baselineOf(earlierOf(route, input).map(({ p99 }) => p99))
      const p99 = route.latencies.quantile(0.99) ?? 0
      const isSlow = baseline !== undefined && isSlower(p99, baseline) && hasManySlow(route, baseline)
      return isSlow ? [{ route, baseline, p99, times: p99 / Math.max(baseline.median, 0.001) }] : []
    })
    .sort((one, other) => other.times * other.route.requests - one.times * one.route.requests)
    .slice(0, maxStatements)
    .map(({ route, baseline, p99, times }, at) => {
      const examples = readExamples(route, input).filter(({ seconds }) => isSlower(seconds, baseline))
      const cost = costOf(examples, input)
      const name = `${route.method} ${plainText(route.route, 120)}`
      const [now, usual] = [formatSeconds(p99), formatSeconds(baseline.median)]
      const factor = formatTimes(p99, baseline.median)
      const spent = cost && `; ${formatShare(cost.share)} of the time is ${cost.target}`
      return {
        ...({ kind: 'latency', severity: 'warning' } as const),
        weight: 50 + Math.round(Math.min(9, Math.log2(times))) - at / 10,
        text: `The 99th percentile of ${name} is ${now}, ${factor} the usual ${usual}${spent ?? ''}`,
        since: sinceOf(route, baseline, input),
        evidence: [
          { name: `p99 ${name}`, value: figure(p99), baseline: figure(baseline.median), unit: 'seconds' as const },
          { name: `requests ${name}`, value: route.requests },
          ...costEvidence(cost),
        ],
        ...{ traces: tracesOf(examples), link: linkOf(route) },
      }
    })
}

function hasManySlow({ latencies, requests }: RouteWindow, { median }: Baseline): boolean {
  const slow = latencies.countAbove(Math.max(2 * median, suspectSeconds))
  return slow >= Math.max(minimumSlow, Math.min(enoughSlow, slowShare * requests))
}

/** The minutes before the window. */
function earlierOf({ minutes }: RouteWindow, { monotonicNow }: WhyInput): RouteWindow['minutes'] {
  const window = windowOf(monotonicNow)
  return minutes.filter((minute) => minute.window < window - 1)
}

/** The beginning of the first of the minutes that were slow without a break until now. */
function sinceOf({ minutes }: RouteWindow, baseline: Baseline, { now, monotonicNow }: WhyInput): number | undefined {
  const last = minutes.findLastIndex(({ p99 }) => !isSlower(p99, baseline))
  const first = minutes[last + 1]
  return first && Math.round(now - monotonicNow + first.window * 60_000)
}

function readExamples(
  { method, route }: RouteWindow,
  { requests, spans, monotonicNow }: WhyInput,
): readonly RequestExample[] {
  const since = (windowOf(monotonicNow) - 1) * 60_000
  const examples = requests.examplesOf(method, route, since)
  // Those with spans first: a trace without any shows nothing.
  return examples
    .map((example) => ({
      ...example,
      hasSpans: example.traceId !== undefined && spans.ended(example.traceId).length > 0,
    }))
    .sort((one, other) => Number(other.hasSpans) - Number(one.hasSpans) || compare(one, other))
}

/** The longest first. */
function compare(one: RequestExample, other: RequestExample): number {
  return other.seconds - one.seconds || (one.id < other.id ? -1 : 1)
}

function costOf(examples: readonly RequestExample[], { spans }: WhyInput): ReturnType<typeof largestCost> {
  const costs: TraceCosts = new Map()
  for (const { traceId } of examples.slice(0, maxReadTraces)) {
    if (traceId !== undefined) addTraceCosts(costs, spans.ended(traceId))
  }
  const cost = largestCost(costs)
  return cost && { target: plainText(cost.target, 120), share: cost.share }
}

function costEvidence(cost: ReturnType<typeof largestCost>): readonly Evidence[] {
  return cost === undefined ? [] : [{ name: `time ${cost.target}`, value: figure(cost.share), unit: 'share' }]
}

function tracesOf(examples: readonly RequestExample[]): readonly string[] {
  return examples.flatMap(({ traceId }) => (traceId === undefined ? [] : [traceId])).slice(0, maxTraces)
}

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
  const [first] = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return first === undefined ? '' : plainText(first[0], 200)
}

function linkOf({ method, route }: RouteWindow): string {
  return `#/requests?method=${encodeURIComponent(method)}&route=${encodeURIComponent(route)}`
}
