import type { MeterOptions } from '../../metrics/meter.ts'

/** A meter of the runtime, as OpenTelemetry's semantic conventions define it. */
interface RuntimeDefinition {
  readonly description: string
  readonly baseUnit: string
  /** The key of its only attribute. */
  readonly attribute?: string
  /** The meter of the convention `micrometer` that measures the same. */
  readonly micrometer?: string
}

type RuntimeDefinitions = Readonly<Record<string, RuntimeDefinition>>

/** The meters of the process and its runtime by name: semantic conventions 1.45, in development. */
export const runtimeDefinitions: RuntimeDefinitions = /* @__PURE__ */ defineMeters()

/** Returns the options of a meter. */
export function runtimeOptions(name: string): MeterOptions {
  const { description, baseUnit } = runtimeDefinitions[name] ?? {}
  return { description, baseUnit }
}

function defineMeters(): RuntimeDefinitions {
  const delay = { baseUnit: 'seconds', micrometer: 'nodejs.eventloop.delay' }
  const heapSpace = { baseUnit: 'bytes', attribute: 'v8js.heap.space.name' }
  return {
    'nodejs.eventloop.delay.min': { description: 'Event loop minimum delay.', ...delay },
    'nodejs.eventloop.delay.max': { description: 'Event loop maximum delay.', ...delay },
    'nodejs.eventloop.delay.mean': { description: 'Event loop mean delay.', ...delay },
    'nodejs.eventloop.delay.stddev': { description: 'Event loop standard deviation delay.', ...delay },
    'nodejs.eventloop.delay.p50': { description: 'Event loop 50 percentile delay.', ...delay },
    'nodejs.eventloop.delay.p90': { description: 'Event loop 90 percentile delay.', ...delay },
    'nodejs.eventloop.delay.p99': { description: 'Event loop 99 percentile delay.', ...delay },
    'nodejs.eventloop.utilization': {
      description: 'Event loop utilization.',
      baseUnit: 'ratio',
      micrometer: 'nodejs.eventloop.utilization',
    },
    'nodejs.eventloop.time': {
      description: 'Cumulative duration of time the event loop has been in each state.',
      baseUnit: 'seconds',
      attribute: 'nodejs.eventloop.state',
    },
    'v8js.gc.duration': {
      description: 'Garbage collection duration.',
      baseUnit: 'seconds',
      attribute: 'v8js.gc.type',
      micrometer: 'jvm.gc.pause',
    },
    'v8js.memory.heap.used': {
      description: 'Heap Memory size allocated.',
      ...heapSpace,
      micrometer: 'jvm.memory.used',
    },
    'v8js.memory.heap.space.size': {
      description: 'Total heap memory size pre-allocated for a heap space.',
      ...heapSpace,
    },
    'v8js.memory.heap.space.available_size': { description: 'Heap space available size.', ...heapSpace },
    'v8js.memory.heap.space.physical_size': {
      description: 'Committed size of a heap space.',
      ...heapSpace,
      micrometer: 'jvm.memory.committed',
    },
    'v8js.resource.active': {
      description: 'Gauge of the active resources that are currently keeping the event loop alive.',
      baseUnit: '{resource}',
      attribute: 'v8js.resource.type',
      micrometer: 'nodejs.active.handles',
    },
    'process.cpu.time': {
      description: 'Total CPU seconds broken down by different CPU modes.',
      baseUnit: 'seconds',
      attribute: 'cpu.mode',
      micrometer: 'process.cpu.time',
    },
    'process.cpu.utilization': {
      description: 'The recent share of the processors that the process used, by mode.',
      baseUnit: 'ratio',
      attribute: 'cpu.mode',
      micrometer: 'process.cpu.usage',
    },
    'process.memory.usage': {
      description: 'The amount of physical memory in use.',
      baseUnit: 'bytes',
      micrometer: 'process.memory.rss',
    },
    'process.thread.count': {
      description: 'Process threads count.',
      baseUnit: '{thread}',
      micrometer: 'jvm.threads.live',
    },
    'process.unix.file_descriptor.count': {
      description: 'Number of unix file descriptors in use by the process.',
      baseUnit: '{file_descriptor}',
      micrometer: 'process.files.open',
    },
    'process.uptime': {
      description: 'The time the process has been running.',
      baseUnit: 'seconds',
      micrometer: 'process.uptime',
    },
    'system.cpu.utilization': {
      description: 'The recent share of all processors that was used.',
      baseUnit: 'ratio',
      micrometer: 'system.cpu.usage',
    },
    'system.cpu.logical.count': {
      description: 'The number of processors available to the process.',
      baseUnit: '{cpu}',
      micrometer: 'system.cpu.count',
    },
  }
}
