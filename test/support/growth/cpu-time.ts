/**
 * Returns how long this process computes for some work, in milliseconds. Time in which other programs have the core
 * does not count.
 */
export function cpuTime(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  return since(start)
}

/** Returns how long this process computes until the work has resolved, in milliseconds. */
export async function cpuTimeUntil(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  return since(start)
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
