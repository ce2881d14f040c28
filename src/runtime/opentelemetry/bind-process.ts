import { readdirSync } from 'node:fs'
import { lazy } from '../../base/lazy.ts'
import { canRead } from '../can-read.ts'
import type { RuntimeMeasuring } from '../meters/bind-meters.ts'
import { systemTimesReader } from '../meters/cpu.ts'
import { countOpenFiles } from '../meters/files.ts'
import { createRate } from '../meters/rate.ts'
import { runtimeOptions } from './runtime-definitions.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))

const threads = '/proc/self/task'
const openFiles = '/proc/self/fd'

/** `process.*` and `system.cpu.*`. Threads and file descriptors exist on Linux only. */
export function bindProcess({ meters, clock }: RuntimeMeasuring): () => void {
  const processors = os().availableParallelism()
  for (const mode of ['user', 'system'] as const) {
    const tags = { 'cpu.mode': mode }
    const used = () => process.cpuUsage()[mode] / 1e6
    const rate = createRate(clock, () => ({ part: used(), whole: (clock.monotonicTime() * processors) / 1_000 }))
    meters.functionCounter('process.cpu.time', tags, used, runtimeOptions('process.cpu.time'))
    meters.gauge('process.cpu.utilization', tags, rate, runtimeOptions('process.cpu.utilization'))
  }
  const system = createRate(clock, systemTimesReader())
  meters.gauge('system.cpu.utilization', {}, system, runtimeOptions('system.cpu.utilization'))
  meters.gauge('system.cpu.logical.count', {}, () => processors, runtimeOptions('system.cpu.logical.count'))
  const memory = () => process.memoryUsage.rss()
  meters.gauge('process.memory.usage', {}, memory, runtimeOptions('process.memory.usage'))
  meters.gauge('process.uptime', {}, () => process.uptime(), runtimeOptions('process.uptime'))
  if (canRead(threads)) {
    const count = () => readdirSync(threads).length
    meters.gauge('process.thread.count', {}, count, runtimeOptions('process.thread.count'))
  }
  if (canRead(openFiles)) {
    const options = runtimeOptions('process.unix.file_descriptor.count')
    meters.gauge('process.unix.file_descriptor.count', {}, countOpenFiles, options)
  }
  return () => {}
}
