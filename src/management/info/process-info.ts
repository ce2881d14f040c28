import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import type { InfoContributor } from './contributor.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))
const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/**
 * `process`: ids, owner, times (ISO 8601; `uptime` an ISO 8601 duration), working directory, usable processors, and
 * memory in bytes: -1 for what V8 does not report, as in the JVM. `garbageCollectors` are those that `meters` has
 * counted.
 */
export function processInfo(clock: Clock, meters?: SnapshotSource): InfoContributor {
  // Calculated once: the difference between two clocks varies by a millisecond.
  const startTime = new Date(clock.wallTime() - process.uptime() * 1000).toISOString()
  return () => {
    const now = clock.wallTime()
    const uptime = process.uptime()
    const { heapUsed, heapTotal, rss, external } = process.memoryUsage()
    const nonHeap = Math.max(0, rss - heapTotal)
    const garbageCollectors = meters === undefined ? [] : collectorsOf(meters)
    return {
      process: {
        pid: process.pid,
        parentPid: process.ppid,
        owner: ownerName(),
        uptime: `PT${uptime.toFixed(3)}S`,
        startTime,
        currentTime: new Date(now).toISOString(),
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        locale: Intl.DateTimeFormat().resolvedOptions().locale,
        workingDirectory: process.cwd(),
        cpus: os().availableParallelism(),
        memory: {
          heap: { used: heapUsed, committed: heapTotal, init: -1, max: v8().getHeapStatistics().heap_size_limit },
          nonHeap: { used: nonHeap, committed: nonHeap, init: -1, max: -1, external },
          ...(garbageCollectors.length > 0 && { garbageCollectors }),
        },
      },
    }
  }
}

/** The timers of collections by name, and the tag that names the collector. */
const collectionTimers: ReadonlyMap<string, string> = new Map([
  ['jvm.gc.pause', 'gc'],
  ['nodejs.gc.pause', 'gc'],
  ['v8js.gc.duration', 'v8js.gc.type'],
])

/** Returns how often each collector has run, as far as the meters of the process have counted it. */
function collectorsOf(meters: SnapshotSource) {
  const counts = new Map<string, number>()
  for (const [timer, tag] of collectionTimers) {
    for (const meter of meters.snapshot(timer)) {
      const name = meter.id.tags.find(({ key }) => key === tag)?.value
      if (name !== undefined && meter.kind === 'timer') counts.set(name, (counts.get(name) ?? 0) + meter.count)
    }
  }
  return [...counts].map(([name, collectionCount]) => ({ name, collectionCount }))
}

/** Returns `undefined` for a user id without a name, which is common in containers. */
function ownerName(): string | undefined {
  try {
    return os().userInfo().username
  } catch {
    return undefined
  }
}
