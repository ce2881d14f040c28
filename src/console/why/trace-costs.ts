import type { EndedSpan } from '../../tracing/spans/span-recorder.ts'
import type { HrTime } from '../../tracing/spans/span-times.ts'

/** Where the time of a trace went, such as `database postgresql/orders` or `own code`, in seconds. */
export type TraceCosts = Map<string, number>

const serverKind = 1
const internalKind = 0

/** Adds the time of a trace by what it was spent on: simultaneous calls count each, own code is what no call covers. */
export function addTraceCosts(costs: TraceCosts, spans: readonly EndedSpan[]): void {
  const server = spans.find(({ kind }) => kind === serverKind)
  if (server === undefined) return
  const calls = spans.filter(({ kind }) => kind !== serverKind && kind !== internalKind)
  for (const call of calls) addTo(costs, targetOf(call), secondsOf(call.duration))
  addTo(costs, 'own code', Math.max(0, secondsOf(server.duration) - coveredBy(calls)))
}

/** Returns the largest of the costs, and its share of all. */
export function largestCost(costs: TraceCosts): { readonly target: string; readonly share: number } | undefined {
  const all = [...costs].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  const sum = all.reduce((total, [, seconds]) => total + seconds, 0)
  const [first] = all
  return first === undefined || sum === 0 ? undefined : { target: first[0], share: first[1] / sum }
}

function addTo(costs: TraceCosts, target: string, seconds: number): void {
  costs.set(target, (costs.get(target) ?? 0) + seconds)
}

function targetOf({ attributes, name }: EndedSpan): string {
  const read = (key: string) => {
    const value = attributes[key]
    return value === undefined ? undefined : String(value)
  }
  const [database, messaging] = [read('db.system.name'), read('messaging.system')]
  if (database !== undefined) return `database ${[database, read('db.namespace')].filter(Boolean).join('/')}`
  if (messaging !== undefined)
    return `queue ${[messaging, read('messaging.destination.name')].filter(Boolean).join('/')}`
  const host = read('server.address')
  return host === undefined ? `call ${name}` : `host ${[host, read('server.port')].filter(Boolean).join(':')}`
}

/** The time that at least one of the spans covers. */
function coveredBy(spans: readonly EndedSpan[]): number {
  const intervals = spans
    .map(({ startTime, duration }) => ({ from: secondsOf(startTime), seconds: secondsOf(duration) }))
    .sort((one, other) => one.from - other.from)
  let [covered, end] = [0, 0]
  for (const { from, seconds } of intervals) {
    covered += Math.max(0, from + seconds - Math.max(from, end))
    end = Math.max(end, from + seconds)
  }
  return covered
}

function secondsOf([seconds, nanoseconds]: HrTime): number {
  return seconds + nanoseconds / 1e9
}
