import { containerLimit, readContainerMemory } from '../../base/container-memory.ts'
import type { FlightRecorder } from './flight-recorder.ts'

/** The share by which the memory must shrink before the rule applies again. */
const hysteresis = 0.05

/** The memory of a container, in bytes. */
interface MemoryUse {
  readonly used: number
  readonly limit: number
}

/**
 * Returns a function that checks the memory of the container, to be called repeatedly. If its use exceeds a share of
 * the limit, the memory that is allocated from then on is profiled. Without a limit it does nothing.
 */
export function createMemoryRule(
  recorder: Pick<FlightRecorder, 'admit' | 'profile'>,
  share: number,
  read: () => MemoryUse | undefined = readMemory,
): () => void {
  let isHigh = false
  return () => {
    const memory = read()
    if (memory === undefined) return
    const { used, limit } = memory
    const wasHigh = isHigh
    isHigh = used >= limit * (wasHigh ? share - hysteresis : share)
    if (!isHigh || wasHigh || !recorder.admit('memory')) return
    const reason = `the container uses ${megabytes(used)} of ${megabytes(limit)} of memory`
    const details = { usedBytes: used, limitBytes: limit }
    void recorder.profile({ rule: 'memory', time: Date.now(), reason, details }, { type: 'heap' })
  }
}

function readMemory(): MemoryUse | undefined {
  const limit = containerLimit()
  const used = limit === undefined ? undefined : readContainerMemory()?.used
  return limit === undefined || used === undefined ? undefined : { used, limit }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
