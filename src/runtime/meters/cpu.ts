import { readFileSync } from 'node:fs'
import { lazy } from '../../base/lazy.ts'
import { canRead } from '../can-read.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { createRate, type Totals } from './rate.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))
const statistics = '/proc/stat'

/**
 * `system.cpu.usage` and `process.cpu.usage` from 0 to 1, `process.cpu.time` in nanoseconds, `system.cpu.count`,
 * `system.load.average.1m`.
 */
export function bindCpuMeters({ meters, clock }: RuntimeMeasuring): () => void {
  const processors = os().availableParallelism()
  const systemUsage = createRate(clock, canRead(statistics) ? readSystemTimes : sumProcessorTimes)
  const usedMicroseconds = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  // Not NaN before the second reading: in Prometheus it would make the average of the whole hour NaN.
  const sinceStart = Math.min(1, usedMicroseconds() / 1e6 / process.uptime() / processors)
  const processUsage = createRate(
    clock,
    () => ({ part: usedMicroseconds() / 1_000, whole: clock.monotonicTime() * processors }),
    sinceStart,
  )

  meters.gauge('system.cpu.usage', {}, systemUsage, {
    description: 'The recent share of all processors that was used, from 0 to 1',
  })
  meters.gauge('process.cpu.usage', {}, processUsage, {
    description: 'The recent share of all processors that this process used, from 0 to 1',
  })
  meters.functionCounter('process.cpu.time', {}, () => usedMicroseconds() * 1_000, {
    description: 'The processor time that this process has used',
    baseUnit: 'ns',
  })
  meters.gauge('system.cpu.count', {}, () => processors, {
    description: 'The number of processors available to the process',
  })
  meters.gauge('system.load.average.1m', {}, () => os().loadavg()[0] ?? Number.NaN, {
    description: 'The number of tasks that ran or waited to, averaged over a minute',
  })
  return () => {}
}

/** Reads one short file, whereas `cpus()` reads several per processor. */
function readSystemTimes(): Totals {
  return parseSystemTimes(readFileSync(statistics, 'utf8'))
}

/** Parses the times of all processors together in `/proc/stat`. Waiting for a disk counts as idle. */
export function parseSystemTimes(text: string): Totals {
  const times = /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? []
  // The times of guests, which come last, are included in the first two.
  const [user = Number.NaN, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = times
  const part = user + nice + system + irq + softIrq + steal
  return { part, whole: part + idle + ioWait }
}

function sumProcessorTimes(): Totals {
  let part = 0
  let whole = 0
  for (const { times } of os().cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq
    part += busy
    whole += busy + times.idle
  }
  return { part, whole }
}

/** Returns a function that reads the times of all processors. */
export function systemTimesReader(): () => Totals {
  return canRead(statistics) ? readSystemTimes : sumProcessorTimes
}
