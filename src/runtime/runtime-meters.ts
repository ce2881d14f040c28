import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { ConventionName } from '../metrics/convention-name.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { reportHeapLimit } from './heap-limit.ts'
import type { BindMeters } from './meters/bind-meters.ts'
import { bindContainerMeters } from './meters/container.ts'
import { bindCpuMeters } from './meters/cpu.ts'
import { bindDiskMeters } from './meters/disk.ts'
import { bindEventLoopMeters } from './meters/event-loop.ts'
import { bindFileMeters } from './meters/files.ts'
import { bindGarbageCollectionMeters } from './meters/garbage-collection.ts'
import { bindMemoryMeters } from './meters/memory.ts'
import { bindHandleMeters, bindUptimeMeters } from './meters/process.ts'
import { createStatusSampler } from './meters/process-status.ts'
import { bindThreadStateMeters } from './meters/thread-states.ts'
import { bindThreadMeters } from './meters/threads.ts'
import { bindRuntimeInfo } from './meters/versions.ts'
import { bindEventLoop } from './opentelemetry/bind-event-loop.ts'
import { bindProcess } from './opentelemetry/bind-process.ts'
import { bindCollections, bindHeap } from './opentelemetry/bind-v8.ts'

/** Options of the meters of the process and its runtime. */
export interface RuntimeMetersOptions {
  /**
   * The prefix of the meters of memory, garbage collection and threads: `jvm`, which dashboards for Spring Boot expect,
   * or `nodejs`. Has no effect with `conventions: 'opentelemetry'`. @default 'jvm'
   */
  readonly prefix?: 'jvm' | 'nodejs' | undefined
  /** The folder whose disk is measured. @default '.' */
  readonly path?: string | undefined
}

const openTelemetryGroups: readonly BindMeters[] = [
  bindEventLoop,
  bindCollections,
  bindHeap,
  bindProcess,
  bindDiskMeters,
  bindContainerMeters,
]

const groups: readonly BindMeters[] = [
  bindMemoryMeters,
  bindGarbageCollectionMeters,
  bindThreadMeters,
  bindThreadStateMeters,
  bindRuntimeInfo,
  bindCpuMeters,
  bindUptimeMeters,
  bindFileMeters,
  bindDiskMeters,
  bindEventLoopMeters,
  bindHandleMeters,
  bindContainerMeters,
]

/**
 * Registers the meters of the process. Returns a function that stops them. A group that fails is reported and omitted.
 */
export function bindRuntimeMeters(
  meters: MeterRegistry,
  { prefix = 'jvm', path = '.' }: RuntimeMetersOptions,
  clock: Clock,
  report: Report,
  conventions: ConventionName = 'micrometer',
): () => void {
  reportHeapLimit(report)
  const status = createStatusSampler(clock)
  const disposers = (conventions === 'micrometer' ? groups : openTelemetryGroups).map((bind) => {
    try {
      return bind({ meters, clock, prefix: `${prefix}.`, path, report, status })
    } catch (error) {
      report(`${bind.name} failed`, error)
      return () => {}
    }
  })
  return () => {
    for (const dispose of disposers) dispose()
  }
}
