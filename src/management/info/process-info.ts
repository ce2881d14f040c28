import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { InfoContributor } from './contributor.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))
const v8 = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:v8'))

/**
 * `process`: ids, owner, times (ISO 8601; `uptime` an ISO 8601 duration), working directory, usable processors, and
 * memory in bytes.
 */
export function processInfo(clock: Clock): InfoContributor {
  // Calculated once: the difference between two clocks varies by a millisecond.
  const startTime = new Date(clock.wallTime() - process.uptime() * 1000).toISOString()
  return () => {
    const now = clock.wallTime()
    const uptime = process.uptime()
    const { heapUsed, heapTotal, rss, external } = process.memoryUsage()
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
          heap: { used: heapUsed, committed: heapTotal, max: v8().getHeapStatistics().heap_size_limit },
          nonHeap: { used: rss - heapTotal, external },
        },
      },
    }
  }
}

/** Returns `undefined` for a user id without a name, which is common in containers. */
function ownerName(): string | undefined {
  try {
    return os().userInfo().username
  } catch {
    return undefined
  }
}
