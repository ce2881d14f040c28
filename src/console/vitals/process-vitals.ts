import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'

// Not the global `performance`, which tests replace.
const hooks = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:perf_hooks'))

/**
 * The interval of the timer whose delay is measured, in milliseconds. Each turn wakes an event loop that is idle:
 * 10 turns a second take 0.19 % of a core, 4 take 0.07 %. A shorter block may be missed.
 */
const intervals = { busy: 100, idle: 250 }

/** The delay in milliseconds from which on a timer was late because of a block, not of several tasks in turn. */
const blocked = 50

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

/** Measures for how long the event loop was blocked: `takeLongest` returns milliseconds, and starts anew. */
function measureBlocks(): { takeLongest(): number; close(): void } {
  const { performance } = hooks()
  // Not `monitorEventLoopDelay`: its `reset` forgets when it fired last, and with it a block that has just ended.
  let interval = intervals.busy
  let [firedAt, active, longest] = [performance.now(), 0, 0]
  let timer: NodeJS.Timeout
  /** Notes a block. Returns how late the timer is, and for which share of its time the loop was active. */
  const elapse = () => {
    const elapsed = performance.now() - firedAt
    const late = elapsed - interval
    const busy = Math.min(elapsed, performance.eventLoopUtilization().active - active)
    // A loop that was idle otherwise was active for as long as it was blocked. Of a busy one the delay alone is known.
    const block = late > blocked && interval === intervals.idle ? Math.max(late, busy) : late
    longest = Math.max(longest, block)
    return { busy: busy / elapsed, late }
  }
  const start = () => {
    firedAt = performance.now()
    active = performance.eventLoopUtilization().active
    timer = setTimeout(fire, interval)
    timer.unref()
  }
  const fire = () => {
    interval = elapse().busy > 0.1 ? intervals.busy : intervals.idle
    start()
  }
  start()
  return {
    takeLongest() {
      if (elapse().late > 0) {
        clearTimeout(timer)
        start()
      }
      const taken = longest
      longest = 0
      return taken
    },
    close: () => clearTimeout(timer),
  }
}

/** Starts to measure the event loop and garbage collections. */
export function measureProcess(clock: Clock): ProcessVitals {
  const { performance, PerformanceObserver } = hooks()
  const blocks = measureBlocks()
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
      const loopDelay = blocks.takeLongest() / 1_000
      const gc = Math.min(1, collected / milliseconds)
      collected = 0
      return {
        ...{ loopDelay, loopUtilization: utilization, cpu: used / 1_000 / milliseconds },
        ...{ rss, heapUsed, heapTotal, external, gc },
      }
    },
    close() {
      blocks.close()
      observer.disconnect()
    },
  }
}
