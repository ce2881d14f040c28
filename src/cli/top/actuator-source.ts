import type { JsonObject, ReadDocument, TopQuery, TopRoute, TopSample, TopSource } from './top-sample.ts'
import { noVitals, numberOf, objectOf, objectsIn, textOf, textsIn } from './top-sample.ts'

/** A meter: its statistics, `null` without one, and the values of its tags. */
interface Reading {
  readonly of: (statistic: string) => number | null
  readonly tag: (name: string) => readonly string[]
}

/** Each route is a request of its own. */
const maxRoutes = 100
const requestsAtOnce = 8

/** Reads `metrics` and `health`, as Spring Boot Actuator has them. Rates are differences of two samples. */
export function actuatorSource(read: ReadDocument, base: string, now: () => number): TopSource {
  const nextRates = createRates()
  let info: { readonly startedAt: number | null; readonly application: TopSample['application'] } | undefined

  async function readSample({ member, filter, withRoutes }: TopQuery): Promise<TopSample> {
    const names = new Set(textsIn((await read(`${base}/metrics`))?.['names']))
    const readMeter = async (name: string, tag?: string): Promise<Reading> => {
      const query = [
        ...(tag === undefined ? [] : [['tag', tag]]),
        ...(member === undefined ? [] : [['member', member]]),
      ]
      const text = query.map(([key, value = '']) => `${key}=${encodeURIComponent(value)}`).join('&')
      return readingOf(names.has(name) ? await read(`${base}/metrics/${name}${text === '' ? '' : `?${text}`}`) : {})
    }
    const [health, requests, failed, active, usage, cores, started] = await Promise.all([
      readHealth(read, base),
      readMeter('http.server.requests'),
      readMeter('http.server.requests', 'outcome:SERVER_ERROR'),
      readMeter('http.server.requests.active'),
      readMeter('process.cpu.usage'),
      readMeter('system.cpu.count'),
      readMeter('process.start.time'),
    ])
    const [used, committed, most, rss, delay, utilization, pauses] = await Promise.all([
      readMeter('jvm.memory.used', 'area:heap'),
      readMeter('jvm.memory.committed', 'area:heap'),
      readMeter('jvm.memory.max', 'area:heap'),
      readMeter('process.memory.rss'),
      readMeter('nodejs.eventloop.delay'),
      readMeter('nodejs.eventloop.utilization'),
      readMeter('jvm.gc.pause'),
    ])
    // The value of a gauge is the sum of those of the members.
    const members = usage.tag('member')
    const summands = member === undefined ? Math.max(1, members.length) : 1
    const startedAt = summands > 1 ? null : roundMilliseconds(started.of('VALUE'))
    if (info?.startedAt !== startedAt) info = { startedAt, application: await readInfo(read, base) }

    const at = now()
    const rateOf = nextRates(at, member)
    const readRoute = async (uri: string): Promise<TopRoute> => {
      const reading = await readMeter('http.server.requests', `uri:${uri}`)
      const none = { method: '', errors: null, p50: null, p95: null, p99: null }
      const requests = reading.of('COUNT')
      return { ...none, route: uri, requests, rate: rateOf(`uri:${uri}`, requests), ...durationsOf(reading) }
    }
    const uris = requests.tag('uri').filter((uri) => uri.toLowerCase().includes(filter.toLowerCase()))
    return {
      ...{ at, source: 'metrics', health, findings: [], members },
      application: { ...info.application, startedAt: startedAt ?? undefined },
      vitals: {
        ...{ ...noVitals, ...durationsOf(requests), requestRate: rateOf('requests', requests.of('COUNT')) },
        errorRate: rateOf('errors', requests.of('COUNT') === null ? null : (failed.of('COUNT') ?? 0)),
        ...{ active: active.of('ACTIVE_TASKS'), cpu: scale(usage.of('VALUE'), scale(cores.of('VALUE'), 1) ?? 1) },
        ...{ loopDelay: delay.of('MAX'), loopUtilization: scale(utilization.of('VALUE'), 1 / summands) },
        ...{ rss: rss.of('VALUE'), heapUsed: used.of('VALUE'), heapTotal: committed.of('VALUE') },
        gc: rateOf('gc', pauses.of('TOTAL_TIME')),
      },
      limits: { memory: null, heap: positive(most.of('VALUE')), cpu: cores.of('VALUE') },
      routes: withRoutes ? await inGroups(uris.slice(0, maxRoutes), readRoute) : undefined,
    }
  }
  return { read: readSample }
}

function readingOf(document: JsonObject | undefined): Reading {
  const measurements = objectsIn(document?.['measurements'])
  const tags = objectsIn(document?.['availableTags'])
  return {
    of: (name) => numberOf(measurements.find(({ statistic }) => statistic === name)?.['value']),
    tag: (name) => textsIn(tags.find(({ tag }) => tag === name)?.['values']),
  }
}

function durationsOf(timer: Reading): { readonly mean: number | null; readonly maximum: number | null } {
  const count = positive(timer.of('COUNT'))
  return { mean: count === null ? null : scale(timer.of('TOTAL_TIME'), 1 / count), maximum: timer.of('MAX') }
}

async function readHealth(read: ReadDocument, base: string): Promise<TopSample['health']> {
  const health = (await read(`${base}/health`)) ?? {}
  const groups = textsIn(health['groups'])
  const [liveness, readiness] = await Promise.all(
    ['liveness', 'readiness'].map(async (group) =>
      groups.includes(group) ? textOf((await read(`${base}/health/${group}`))?.['status']) : undefined,
    ),
  )
  const components = Object.fromEntries(statusesIn(health, ''))
  return { status: textOf(health['status']) ?? 'UNKNOWN', liveness, readiness, components }
}

function statusesIn(health: JsonObject, prefix: string): readonly (readonly [path: string, status: string])[] {
  return Object.entries(objectOf(health['components'])).flatMap(([name, component]) => {
    const part = objectOf(component)
    const status = textOf(part['status'])
    return [
      ...(status === undefined ? [] : [[`${prefix}${name}`, status] as const]),
      ...statusesIn(part, `${prefix}${name}/`),
    ]
  })
}

/** Returns what `info` of upkeep or Spring Boot shows of the application, if anything. */
async function readInfo(read: ReadDocument, base: string): Promise<TopSample['application']> {
  const info = (await read(`${base}/info`).catch(() => undefined)) ?? {}
  const application = objectOf(info['application'])
  const build = objectOf(info['build'])
  const name = textOf(application['name']) ?? textOf(build['name'])
  const version = textOf(application['version']) ?? textOf(build['version'])
  return { name, version, pid: numberOf(objectOf(info['process'])['pid']) ?? undefined }
}

/** Returns a function that begins a sample: it returns by how much each count has grown per second since the one before. */
function createRates() {
  let counts = new Map<string, number>()
  let last = { at: 0, member: undefined as string | undefined }
  return (at: number, member: string | undefined) => {
    const before = member === last.member ? counts : new Map<string, number>()
    const seconds = (at - last.at) / 1_000
    counts = new Map()
    last = { at, member }
    return (key: string, count: number | null): number | null => {
      if (count === null) return null
      counts.set(key, count)
      const grown = count - (before.get(key) ?? Number.NaN)
      // Less than before after a restart.
      return grown >= 0 && seconds > 0 ? grown / seconds : null
    }
  }
}

async function inGroups<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = []
  for (let at = 0; at < all.length; at += requestsAtOnce) {
    done.push(...(await Promise.all(all.slice(at, at + requestsAtOnce).map(work))))
  }
  return done
}

function roundMilliseconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000)
}

function scale(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}
