import { kindOf } from '../../../base/callback.ts'
import { invalidOption } from '../../../base/errors.ts'
import type { MeterRegistry } from '../../../metrics/meter-registry.ts'
import type { Tags } from '../../../metrics/series/tags.ts'
import { extractBaggage, extractTraceContext, traceHeadersOf } from '../../../tracing/context/carrier.ts'
import { tracingNow } from '../../tracing-now.ts'
import { type JobContext, JobSpan } from './job-span.ts'

/** The option `telemetry` of a queue, worker or flow producer of BullMQ. Its contexts are opaque. */
export interface BullmqTelemetry {
  readonly tracer: {
    startSpan(name: string, options?: { readonly kind: number }, context?: unknown): BullmqSpan
  }
  readonly contextManager: {
    with<R>(context: unknown, work: () => R): R
    active(): unknown
    root(): unknown
    getMetadata(context: unknown): string
    fromMetadata(active: unknown, metadata: string): unknown
  }
  readonly meter: JobMeter
}

/** A span, as BullMQ uses it. */
export interface BullmqSpan {
  setSpanOnContext(context: unknown): unknown
  setAttribute(name: string, value: unknown): void
  setAttributes(attributes: Readonly<Record<string, unknown>>): void
  addEvent(name: string, attributes?: Readonly<Record<string, unknown>>): void
  recordException(exception: unknown): void
  end(): void
}

/** The meters that BullMQ requests for each job that changes its state. */
export interface JobMeter {
  createCounter(
    name: string,
    options?: { readonly description?: string },
  ): { add(value: number, attributes?: Readonly<Record<string, unknown>>): void }
  createHistogram(
    name: string,
    options?: { readonly description?: string; readonly unit?: string },
  ): { record(value: number, attributes?: Readonly<Record<string, unknown>>): void }
  createGauge(name: string): { record(value: number): void }
}

/**
 * Returns the option `telemetry` of BullMQ, for queues, workers and flow producers. Adding jobs is a span whose context
 * the jobs carry; each attempt of a job is processed in a child span. Each run of a job scheduler is a trace of its
 * own. Adding and processing are timed by every management of the process. Jobs are counted in
 * `bullmq.jobs.completed`, `.failed`, `.retried` and `.delayed`, and their attempts timed in `bullmq.job.duration`,
 * with the tags `queue` and `job`. The data of jobs is not read, and no operation of BullMQ fails because of it.
 *
 * ```ts
 * const telemetry = bullmqTelemetry(management.meters)
 * const queue = new Queue('mail', { connection, telemetry })
 * const worker = new Worker('mail', send, { connection, telemetry })
 * ```
 *
 * @throws TypeError if `meters` is not a registry.
 */
export function bullmqTelemetry(meters: MeterRegistry): BullmqTelemetry {
  return {
    tracer: {
      startSpan: (_name, options, context) =>
        bullmqSpan(new JobSpan(roles[options?.kind ?? 0] ?? 'none', read(context))),
    },
    contextManager: {
      with: (context, work) => runIn(read(context), work),
      active: () => empty,
      root: () => root,
      getMetadata: (context) => attempt(() => metadataOf(read(context)), ''),
      fromMetadata: (_active, metadata) => attempt(() => senderIn(metadata), empty),
    },
    meter: createJobMeter(meters),
  }
}

const empty: JobContext = {}
const root: JobContext = { isRoot: true }

/** By BullMQ's `SpanKind`. */
const roles: Readonly<Record<number, 'producer' | 'consumer'>> = { 3: 'producer', 4: 'consumer' }

function bullmqSpan(span: JobSpan): BullmqSpan {
  const setAttributes = (attributes: Readonly<Record<string, unknown>>) =>
    attempt(() => span.setAttributes(attributes), undefined)
  return {
    setSpanOnContext: (context) => ({ ...read(context), span }) satisfies JobContext,
    setAttribute: (name, value) => setAttributes({ [name]: value }),
    setAttributes,
    addEvent(name, { 'bullmq.job.failed.reason': reason } = {}) {
      if (name === 'job failed') span.fail(new Error(typeof reason === 'string' ? reason : undefined))
    },
    recordException(exception) {
      // A text is a failure of Redis, after which BullMQ tries again.
      if (typeof exception !== 'string') span.fail(exception)
    },
    end: () => attempt(() => span.end(), undefined),
  }
}

/** Runs the work of a span, or detached from all of them. */
function runIn<R>({ span, isRoot }: JobContext, work: () => R): R {
  if (isRoot !== true) return span === undefined ? work() : span.run(work)
  const storage = tracingNow()?.storage
  return storage === undefined ? work() : storage.run(undefined, work)
}

/** What jobs carry: the same JSON as with the package bullmq-otel. */
function metadataOf({ span }: JobContext): string {
  const { carried } = span ?? {}
  return carried === undefined ? '' : JSON.stringify(traceHeadersOf(carried))
}

function senderIn(metadata: string): JobContext {
  const carrier = JSON.parse(metadata)
  return { sender: extractTraceContext(carrier), baggage: extractBaggage(carrier) }
}

/** Contexts come from this module, or are missing. */
function read(context: unknown): JobContext {
  return typeof context === 'object' && context !== null ? context : empty
}

/**
 * Returns the meters of BullMQ as those of a registry. Durations become timers in seconds; gauges, which BullMQ records
 * on request only, are left to `queueMeters`.
 *
 * @throws TypeError if `meters` is not a registry.
 */
function createJobMeter(meters: MeterRegistry): JobMeter {
  if (typeof meters?.counter !== 'function') {
    throw invalidOption(`bullmqTelemetry: meters: expected the meters of a management, received ${kindOf(meters)}`)
  }
  return {
    createCounter: (name, { description } = {}) => ({
      add: (value, attributes = {}) =>
        attempt(() => meters.counter(name, tagsOf(attributes), { description }).increment(value), undefined),
    }),
    createHistogram: (name, { description, unit } = {}) => ({
      record: (value, attributes = {}) =>
        attempt(() => {
          const { 'bullmq.job.state': state } = attributes
          const timer = meters.timer(name, { ...tagsOf(attributes), state: String(state) }, { description })
          // The clock of the machine may have been set back meanwhile.
          timer.record(Math.max(0, unit === 'ms' ? value / 1_000 : value))
        }, undefined),
    }),
    createGauge: () => ({ record: () => {} }),
  }
}

function tagsOf({ 'bullmq.queue.name': queue, 'bullmq.job.name': job }: Readonly<Record<string, unknown>>): Tags {
  return { queue: String(queue), job: String(job) }
}

/** No failure, such as of a meter that cannot be created, must fail the operation of BullMQ. */
function attempt<R>(work: () => R, otherwise: R): R {
  try {
    return work()
  } catch {
    return otherwise
  }
}
