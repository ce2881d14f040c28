import { existsSync } from 'node:fs'
import type { RuntimeMetersOptions } from 'upkeep'
import { systemClock } from 'upkeep/adapter'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { prometheusText } from '../../src/prometheus/exposition/text-format.ts'
import { bindRuntimeMeters } from '../../src/runtime/runtime-meters.ts'
import { render } from '../prometheus/render.ts'

const onLinux = existsSync('/proc/self/status')

const asSpring = [
  'disk.free',
  'disk.total',
  'jvm.gc.live.data.size',
  'jvm.gc.max.data.size',
  'jvm.gc.overhead',
  'jvm.info',
  'jvm.memory.committed',
  'jvm.memory.max',
  'jvm.memory.usage.after.gc',
  'jvm.memory.used',
  ...(onLinux ? ['daemon', 'live', 'peak', 'started', 'states'].map((name) => `jvm.threads.${name}`) : []),
  'nodejs.active.handles',
  'nodejs.eventloop.delay',
  'nodejs.eventloop.utilization',
  'process.cpu.time',
  'process.cpu.usage',
  ...(onLinux ? ['process.files.max', 'process.files.open'] : []),
  'process.memory.rss',
  ...(onLinux ? ['process.memory.swap', 'process.memory.vss'] : []),
  'process.start.time',
  ...(onLinux ? ['process.threads'] : []),
  'process.uptime',
  'system.cpu.count',
  'system.cpu.usage',
  'system.load.average.1m',
]

function bind(options: RuntimeMetersOptions = {}, meters = createMeterRegistry()) {
  const report = vi.fn()
  const dispose = bindRuntimeMeters(meters, options, systemClock, report)
  onTestFinished(() => {
    dispose()
    meters.close()
  })
  return { meters, dispose, report }
}

/** Without the meters that exist after a collection only, and those of systems with control groups only. */
const everywhere = (names: readonly string[]) =>
  names.filter((name) => !name.endsWith('gc.pause') && !name.startsWith('container.'))

describe('bindRuntimeMeters', () => {
  it('uses the names of Spring Boot, for its dashboards', () => {
    expect(everywhere(bind().meters.names())).toEqual(asSpring)
  })

  it('uses the prefix nodejs if configured', () => {
    const { meters } = bind({ prefix: 'nodejs' })
    expect(everywhere(meters.names())).toEqual(asSpring.map((name) => name.replace('jvm.', 'nodejs.')).sort())
  })

  it('is scraped by the names that dashboards use', async () => {
    const { meters } = bind()
    meters
      .timers('jvm.gc.pause', ['action', 'cause', 'gc'])
      .with('end of minor GC', 'allocation', 'Scavenger')
      .record(0.001)
    const page = await render(meters, prometheusText)
    for (const sample of [
      /^jvm_memory_used_bytes\{area="heap",id="old_space"\} \d+$/m,
      /^jvm_memory_committed_bytes\{area="nonheap",id="external"\} \d+$/m,
      /^jvm_memory_max_bytes\{area="heap",id="old_space"\} \d+$/m,
      /^jvm_memory_max_bytes\{area="nonheap",id="array_buffers"\} -1$/m,
      /^jvm_info\{runtime="node",vendor="OpenJS Foundation",version="[\d.]+"\} 1$/m,
      /^process_cpu_time_ns_total \d+$/m,
      /^jvm_gc_pause_seconds_count\{action="end of minor GC",cause="allocation",gc="Scavenger"\} \d+$/m,
      /^jvm_gc_pause_seconds_sum\{action="end of minor GC",cause="allocation",gc="Scavenger"\} [\d.e-]+$/m,
      /^jvm_gc_pause_seconds_max\{action="end of minor GC",cause="allocation",gc="Scavenger"\} [\d.e-]+$/m,
      /^process_uptime_seconds [\d.]+$/m,
      /^process_start_time_seconds [\d.e+]+$/m,
      /^system_cpu_usage (NaN|[\d.e-]+)$/m,
      /^process_cpu_usage [\d.e-]+$/m,
      /^system_cpu_count \d+$/m,
      /^system_load_average_1m [\d.]+$/m,
      /^disk_free_bytes\{path=".+"\} (NaN|\d+)$/m,
      /^disk_total_bytes\{path=".+"\} (NaN|\d+)$/m,
      /^nodejs_eventloop_delay_seconds_count \d+$/m,
      /^nodejs_eventloop_utilization (NaN|[\d.e-]+)$/m,
      /^nodejs_active_handles \d+$/m,
      ...(onLinux
        ? [
            /^jvm_threads_live_threads \d+$/m,
            /^jvm_threads_daemon_threads \d+$/m,
            /^jvm_threads_peak_threads \d+$/m,
            /^jvm_threads_started_threads_total \d+$/m,
            /^jvm_threads_states_threads\{state="runnable"\} \d+$/m,
            /^process_threads \d+$/m,
            /^process_memory_vss_bytes \d+$/m,
            /^process_memory_swap_bytes \d+$/m,
            /^process_files_open_files \d+$/m,
            /^process_files_max_files (\+Inf|\d+)$/m,
          ]
        : []),
    ]) {
      expect(page).toMatch(sample)
    }
  })

  it('omits only the group that cannot be measured', () => {
    const meters = createMeterRegistry()
    // Of one name and no tags there is a meter of another kind already.
    meters.counter('system.cpu.count')
    const { report } = bind({}, meters)
    expect(report.mock.calls).toEqual([['bindCpuMeters failed', expect.any(TypeError)]])
    expect(everywhere(meters.names())).toEqual(asSpring.filter((name) => name !== 'system.load.average.1m'))
  })

  it('omits meters that a filter denies', () => {
    const meters = createMeterRegistry({
      filters: [{ accept: ({ name }) => (name.startsWith('process.') ? 'neutral' : 'deny') }],
    })
    bind({}, meters)
    expect(everywhere(meters.names())).toEqual(asSpring.filter((name) => name.startsWith('process.')))
  })
})
