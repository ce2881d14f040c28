import type { TraceContext } from '../../../ids/trace-context/traceparent.ts'
import type { Baggage } from '../../../tracing/context/context-baggage.ts'
import type { Attributes } from '../../../tracing/span.ts'
import type { Tracing } from '../../../tracing/tracing.ts'
import { tracingNow } from '../../tracing-now.ts'
import { beginProcess, beginSend, endMessages, type ObservedMessages } from '../message-span.ts'

/** What BullMQ passes on as the context of a span. */
export interface JobContext {
  /** What the job carries. */
  readonly sender?: TraceContext | undefined
  readonly baggage?: Baggage | undefined
  /** The span that is active in this context. */
  readonly span?: JobSpan | undefined
  /** Whether work is detached from the active span. */
  readonly isRoot?: boolean
}

/** Operations of producers that add jobs. Those of a flow add its nodes, which carry the context of the flow. */
const adding: readonly unknown[] = ['add', 'addBulk', 'addFlow', 'addBulkFlows']

/** How the ids of jobs begin that a job scheduler has added. */
const scheduledPrefix = 'repeat:'

/** The attributes of BullMQ that are recorded, with their names. Data, options and results of jobs are not. */
const recorded: Readonly<Record<string, string>> = {
  'bullmq.job.id': 'messaging.message.id',
  'bullmq.job.name': 'bullmq.job.name',
  'bullmq.job.attempts.made': 'bullmq.job.attempts.made',
  'bullmq.job.bulk.count': 'messaging.batch.message_count',
}

type Role = 'producer' | 'consumer' | 'none'

/**
 * A span of BullMQ: the adding or the processing of jobs. Of BullMQ's other operations no spans are created, as they
 * are part of these two, or of the worker's loop.
 */
export class JobSpan {
  readonly #role: Role
  readonly #context: JobContext
  readonly #call: { system: 'bullmq'; operation: string; destination: string | undefined; messages: number } = {
    system: 'bullmq',
    operation: '',
    destination: undefined,
    messages: 1,
  }
  #tracing: Tracing | undefined
  #observed: ObservedMessages | undefined
  #baggage: Baggage | undefined
  #error: unknown

  constructor(role: Role, context: JobContext = {}) {
    this.#role = role
    this.#context = context
  }

  /** Receives the queue and the operation first, and what is known of the job later. */
  setAttributes(attributes: Readonly<Record<string, unknown>>): void {
    if (this.#role === 'none') return
    const { 'bullmq.queue.operation': operation, 'bullmq.queue.name': queue, 'bullmq.job.id': id } = attributes
    if (typeof operation === 'string') {
      this.#call.operation = operation
      this.#call.destination = typeof queue === 'string' && queue !== '' ? queue : undefined
      if (adding.includes(operation)) this.#beginSend()
    }
    const count = attributes['bullmq.job.bulk.count']
    if (typeof count === 'number') this.#call.messages = count
    if (this.#role === 'consumer' && this.#observed === undefined && typeof id === 'string') {
      this.#beginProcess(id)
      this.#enter()
    }
    this.#observed?.span?.setAttributes(pickRecorded(attributes))
  }

  /** The context that jobs carry; `undefined` without a span. */
  get carried(): TraceContext | undefined {
    if (this.#role !== 'producer') return undefined
    return (this.#observed?.span ?? tracingNow()?.activeSpan())?.context
  }

  /** Runs the work of the operation. */
  run<R>(work: () => R): R {
    if (this.#role === 'consumer') return this.#runProcess(work)
    const { span } = this.#observed ?? {}
    return this.#tracing && span ? this.#tracing.run(span, work) : work()
  }

  fail(error: unknown): void {
    this.#error ??= error
  }

  end(): void {
    if (this.#observed !== undefined) endMessages(this.#observed, this.#error)
  }

  #beginSend(): void {
    this.#tracing = tracingNow()
    this.#observed = beginSend(this.#tracing, () => this.#call)
  }

  /**
   * The span starts when BullMQ sets the id of the job, the first thing that it does in `work`: only the id says
   * whether the job has been scheduled. An SDK's own context has to be entered before.
   */
  #runProcess<R>(work: () => R): R {
    const tracing = tracingNow()
    this.#tracing = tracing
    if (tracing === undefined) return work()
    if (tracing.ownsContexts) return tracing.storage.run(tracing.storage.getStore(), work)
    this.#beginProcess('')
    const { span } = this.#observed ?? {}
    return span ? tracing.run(span, work, this.#baggage) : work()
  }

  #beginProcess(id: string): void {
    const { sender, baggage } = this.#context
    const isScheduled = id.startsWith(scheduledPrefix)
    this.#baggage = isScheduled ? undefined : baggage
    this.#observed = beginProcess(this.#tracing, this.#call, {
      // All jobs of a scheduler carry the context in which it was added: they would be one trace without an end.
      parent: isScheduled ? undefined : sender,
      links: isScheduled && sender !== undefined ? [sender] : [],
      baggage: this.#baggage,
    })
  }

  /** Makes the span active until the work ends; `#runProcess` leaves it. */
  #enter(): void {
    const tracing = this.#tracing
    const { span } = this.#observed ?? {}
    if (tracing === undefined || span === undefined) return
    const { storage } = tracing
    storage.enterWith(tracing.run(span, () => storage.getStore(), this.#baggage))
  }
}

function pickRecorded(attributes: Readonly<Record<string, unknown>>): Attributes {
  const picked: Record<string, string | number> = {}
  for (const [name, as] of Object.entries(recorded)) {
    const value = attributes[name]
    if (typeof value === 'string' || typeof value === 'number') picked[as] = value
  }
  return picked
}
