import { type Clock, systemClock } from '../../../base/clock.ts'
import { withDeadline } from '../../../base/deadline.ts'
import { describeValue } from '../../../base/describe-value.ts'
import { invalidOption } from '../../../base/errors.ts'
import { requireKnownOptions } from '../../../base/known-options.ts'
import { extensible } from '../../../metrics/extensible-registry.ts'
import type { Meter } from '../../../metrics/meter.ts'
import type { MeterRegistry } from '../../../metrics/meter-registry.ts'

/** The used part of a queue of BullMQ. */
export interface MeasurableQueue {
  readonly name: string
  getJobCounts(...states: JobState[]): Promise<Readonly<Record<string, number>>>
  /** A job that is removed meanwhile may be `undefined`. */
  getJobs(
    states: 'waiting' | 'prioritized',
    start: number,
    end: number,
    asc: boolean,
  ): Promise<readonly (QueuedJob | undefined)[]>
}

/** The states of the jobs of a queue, as BullMQ names them. */
export type JobState = (typeof states)[number]

/** A job that waits. Times are in milliseconds. */
export interface QueuedJob {
  /** When it was added. */
  readonly timestamp: number
  /** When it was processed last, if it is tried again. */
  readonly processedOn?: number | undefined
  readonly opts: { readonly delay?: number | undefined }
}

/** Options of `queueMeters`. */
export interface QueueMetersOptions {
  /** @default the system's */
  readonly clock?: Clock | undefined
}

const states = ['waiting', 'prioritized', 'active', 'delayed', 'waiting-children', 'completed', 'failed'] as const

/** A reader of the meters waits no longer for Redis. */
const timeoutMilliseconds = 1_000

/** Younger values are not read again: a queue may have several readers. */
const freshMilliseconds = 1_000

/** Older values are read again in the background: the members of a cluster read meters without a refresh. */
const staleMilliseconds = 10_000

/**
 * Measures a queue of BullMQ with the tag `queue`: the gauges `bullmq.queue.jobs` by `state`, and
 * `bullmq.queue.oldest.age`, for how many seconds a job has been ready and waits; 0 without one. They are read from
 * Redis when the meters are read, by one request at a time. While Redis does not respond the values are `NaN`, and only
 * the first reader waits, for one second. Returns a function that removes the meters.
 *
 * @throws TypeError if it is not a queue, or `meters` not a registry.
 */
export function queueMeters(
  meters: MeterRegistry,
  queue: MeasurableQueue,
  options: QueueMetersOptions = {},
): () => void {
  requireKnownOptions('queueMeters', options, ['clock'])
  const { clock = systemClock } = options
  if (typeof queue?.getJobCounts !== 'function' || typeof queue.getJobs !== 'function') {
    throw invalidOption(`queueMeters: queue: expected a queue of BullMQ, received ${describeValue(queue)}`)
  }
  const reader = new QueueReader(queue, clock)
  const stopRefreshing = extensible(meters, 'queueMeters').onRefresh(() => reader.refresh())
  const tags = { queue: queue.name }
  const made: readonly Meter[] = [
    ...states.map((state) =>
      meters.gauge('bullmq.queue.jobs', { ...tags, state }, () => reader.count(state), {
        description: 'Jobs of the queue by their state',
      }),
    ),
    meters.gauge('bullmq.queue.oldest.age', tags, () => reader.age(), {
      description: 'Time for which the oldest job has been ready',
      baseUnit: 'seconds',
    }),
  ]
  return () => {
    stopRefreshing()
    for (const meter of made) meters.remove(meter)
  }
}

interface Reading {
  readonly counts: Readonly<Record<string, number>>
  /** Milliseconds since 1970 at which the oldest job became ready; `Infinity` without one, `NaN` if it is unreadable. */
  readonly readySince: number
}

/** Reads a queue, at most one request at a time. */
class QueueReader {
  readonly #queue: MeasurableQueue
  readonly #clock: Clock
  /** `undefined` while Redis does not respond. */
  #reading: Reading | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #isPending = false
  #awaited: Promise<void> = Promise.resolve()

  constructor(queue: MeasurableQueue, clock: Clock) {
    this.#queue = queue
    this.#clock = clock
    void this.refresh()
  }

  count(state: JobState): number {
    return this.#current()?.counts[state] ?? Number.NaN
  }

  /** Seconds. */
  age(): number {
    const reading = this.#current()
    if (reading === undefined) return Number.NaN
    return Math.max(0, (this.#clock.wallTime() - reading.readySince) / 1_000)
  }

  /** Reads the queue, unless that is pending or its values are fresh. Never rejects. */
  async refresh(): Promise<void> {
    if (!this.#isPending && this.#millisecondsOld() >= freshMilliseconds) this.#awaited = this.#start()
    await this.#awaited
  }

  /** Resolves when the queue has been read, at the timeout at the latest. */
  async #start(): Promise<void> {
    this.#isPending = true
    const read = this.#read().finally(() => {
      this.#isPending = false
    })
    await withDeadline(read, timeoutMilliseconds, 'the queue').catch(() => {
      // Values that arrive later are shown as soon as they do.
      this.#reading = undefined
    })
  }

  async #read(): Promise<void> {
    const [counts, readySince] = await Promise.all([readCounts(this.#queue), readReadySince(this.#queue)])
    this.#reading = { counts, readySince }
    this.#readAt = this.#clock.monotonicTime()
  }

  #current(): Reading | undefined {
    if (this.#millisecondsOld() > staleMilliseconds) void this.refresh()
    return this.#reading
  }

  #millisecondsOld(): number {
    return this.#clock.monotonicTime() - this.#readAt
  }
}

async function readCounts(queue: MeasurableQueue): Promise<Reading['counts']> {
  const { waiting = 0, paused = 0, ...others } = await queue.getJobCounts(...states)
  // BullMQ 5 counts the waiting jobs of a paused queue separately.
  return { ...others, waiting: waiting + paused }
}

/** Returns when the oldest job became ready. Jobs that BullMQ cannot read, because of their data, hide no counts. */
async function readReadySince(queue: MeasurableQueue): Promise<number> {
  try {
    const jobs = await Promise.all([
      queue.getJobs('waiting', 0, 0, true),
      // The other end, where the oldest are if jobs are added with `lifo`.
      queue.getJobs('waiting', 0, 0, false),
      queue.getJobs('prioritized', 0, 0, true),
    ])
    return Math.min(...jobs.flat().flatMap((job) => (job === undefined ? [] : [readyAt(job)])))
  } catch {
    return Number.NaN
  }
}

/** Returns when a job became ready: when it was added, after its delay, or after its last attempt. */
function readyAt({ timestamp, processedOn = 0, opts }: QueuedJob): number {
  return Math.max(timestamp + (opts.delay ?? 0), processedOn)
}
