import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'

// Not the global `performance`, which tests replace.
const hooks = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:perf_hooks'))

/**
 * The interval of the timer whose delay is measured, in milliseconds. Each turn of an idle event loop costs some time:
 * with 20 ms, as the meters have, it is 0.24 % of a core, with 100 ms 0.09 %. A block that is shorter may be missed.
 */
const interval = 100

/** The part of a sample about the process. */
interface ProcessFigures {
  readonly loopDelay: number
  readonly loopUtilization: number
  readonly cpu: number
  readonly rss: number
  readonly heapUsed: number
  readonly heapTotal: number
  readonly external: number
  readonly gc: number
}

/** The load of the process since the last reading. */
export interface ProcessVitals {
  read(): ProcessFigures
  close(): void
}

/** Starts to measure the event loop and garbage collections. */
export function measureProcess(clock: Clock): ProcessVitals {
  const { performance, PerformanceObserver } = hooks()
  // Not `monitorEventLoopDelay`: its `reset` forgets the time at which it fired last, and with it a block that has just ended.
  let [firedAt, longest] = [performance.now(), 0]
  const noteDelay = () => {
    const now = performance.now()
    longest = Math.max(longest, now - firedAt - interval)
    firedAt = now
  }
  const timer = setInterval(noteDelay, interval)
  timer.unref()
  let collected = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collected += duration
  })
  observer.observe({ type: 'gc' })
  let last = { at: clock.monotonicTime(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() }
  return {
    read() {
      const before = last
      last = { at: clock.monotonicTime(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() }
      const milliseconds = Math.max(1, last.at - before.at)
      const used = last.cpu.user - before.cpu.user + (last.cpu.system - before.cpu.system)
      const { utilization } = performance.eventLoopUtilization(last.loop, before.loop)
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
      noteDelay()
      const loopDelay = longest / 1_000
      longest = 0
      const gc = Math.min(1, collected / milliseconds)
      collected = 0
      return {
        ...{ loopDelay, loopUtilization: utilization, cpu: used / 1_000 / milliseconds },
        ...{ rss, heapUsed, heapTotal, external, gc },
      }
    },
    close() {
      clearInterval(timer)
      observer.disconnect()
    },
  }
}
