import { readErrorFrames } from './error-frames.ts'

/**
 * Returns a diagnostic report about an uncaught exception, without the environment, the arguments, addresses and
 * messages. Not made by `process.report`, which would wait for worker threads that are inside native code.
 */
export function reportProcess(error: unknown, origin: string): object {
  const { getHeapStatistics, getHeapSpaceStatistics } = process.getBuiltinModule('node:v8')
  const os = process.getBuiltinModule('node:os')
  return {
    origin,
    exception: readErrorFrames(error),
    process: {
      pid: process.pid,
      uptimeSeconds: process.uptime(),
      versions: process.versions,
      arch: process.arch,
      platform: process.platform,
    },
    memory: {
      ...process.memoryUsage(),
      constrained: process.constrainedMemory?.(),
      machine: { total: os.totalmem(), free: os.freemem() },
    },
    heap: { ...getHeapStatistics(), spaces: getHeapSpaceStatistics() },
    resourceUsage: process.resourceUsage(),
    loadAverage: os.loadavg(),
    activeResources: process.getActiveResourcesInfo().reduce<Record<string, number>>((counts, type) => {
      counts[type] = (counts[type] ?? 0) + 1
      return counts
    }, {}),
  }
}
