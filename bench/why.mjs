// What a request of `why` costs the event loop with 5,000 routes: healthy ones, and suspects that each have a baseline,
// failures and slow requests. `npm run build` is not needed: the sources are bundled. Then `node bench/why.mjs`.
import { load, median, missed, report } from './harness.mjs'

const { RouteStatistics } = await load('src/console/requests/route-statistics.ts')
const { RequestLog } = await load('src/console/requests/request-log.ts')
const { SpanLog } = await load('src/console/requests/span-log.ts')
const { History } = await load('src/console/vitals/history.ts')
const { explain } = await load('src/console/why/explain.ts')

const [routeCount, minutes, rounds] = [5_000, 12, 50]
const megabyte = 2 ** 20
const vitals = {
  ...{ at: 0, requestRate: 10, errorRate: 0, p50: 0.01, p95: 0.02, p99: 0.03, active: 1, cpu: 0.1, gc: 0 },
  ...{ loopDelay: 0.002, loopUtilization: 0.1, rss: 1e8, heapUsed: 5e7, heapTotal: 6e7, external: 0 },
}

for (const [name, isBad] of [
  ['healthy', false],
  ['all of them failing and slow', true],
]) {
  const input = fill(isBad)
  for (let at = 0; at < rounds; at++) explain(input, { name: 'orders' })
  const times = Array.from({ length: rounds }, () => {
    const began = performance.now()
    explain(input, { name: 'orders' })
    return performance.now() - began
  })
  report(`why: milliseconds with 5,000 routes, ${name}`, median(times), {
    atMost: 5,
    detail: `the longest ${Math.max(...times).toFixed(1)}`,
  })
}
process.exit(missed().length > 0 ? 1 : 0)

function fill(isBad) {
  const routes = new RouteStatistics(100 * megabyte)
  const requests = new RequestLog({ maximumBytes: megabyte, slowSeconds: 1, redactPath: (path) => path })
  for (let minute = 1; minute <= minutes + 1; minute++) {
    for (let route = 0; route < routeCount; route++) {
      for (let at = 0; at < 20; at++) {
        const isSlow = isBad && minute > minutes
        const request = requestOf(`/r${route}/:id`, minute * 60_000 + at, isSlow)
        routes.record(request)
        if (minute > minutes) requests.record(request)
      }
    }
  }
  const seconds = new History(1, 900)
  for (let at = 0; at < 900; at++) seconds.add({ ...vitals, at: at * 1_000 })
  const now = (minutes + 1) * 60_000 + 1_000
  return {
    ...{ now, monotonicNow: now, startedAt: 0, vitals, limits: { memory: 1e10, heap: 1e10, cpu: 2 } },
    ...{ health: undefined, changes: [], pools: [], poolWaits: [], outgoing: [], lost: [] },
    ...{ routes, requests, spans: new SpanLog(megabyte), seconds },
    histories: {
      logs: { read: () => [] },
      memory: { read: () => [] },
      traffic: () => ({ recent: 0, minutes: [] }),
      shift: undefined,
    },
  }
}

function requestOf(template, endedAt, isSlow) {
  return {
    ...{ method: 'GET', template, status: isSlow ? 500 : 200, sentStatus: 200, isAborted: false, endedAt },
    ...{ seconds: isSlow ? 0.8 : 0.01, error: undefined, exception: 'none', trace: undefined, target: '/r/1' },
  }
}
