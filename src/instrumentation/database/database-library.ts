import { tracingChannel } from 'node:diagnostics_channel'
import type { Clock } from '../../base/clock.ts'
import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import type { DatabaseCall, DatabaseOperation } from '../client-operations.ts'
import { createOfficialCheck, type WrappedFunction } from '../official.ts'
import type { Safely } from '../safely.ts'
import { combineUnsubscribes } from '../unsubscribes.ts'
import { keepContext, traceChannel } from './channel-spans.ts'

/** A library that publishes its database calls on tracing channels, with messages `M`. */
export interface DatabaseLibrary<M extends object = object> {
  readonly channels: readonly string[]
  /** What OpenTelemetry's instrumentation of the library wraps: while it does, no spans are created. */
  readonly wrapped: WrappedFunction
  /** Returns the call of a message; `undefined` if it is not observed. */
  callOf(message: M): DatabaseCall | undefined
  /** Starts the span of a call; returns `undefined` if it is not observed. */
  startSpan(tracing: Tracing, message: M): Span | undefined
  /** Returns `db.response.status_code` of an error. */
  statusOf(error: unknown): string | undefined
  /** The channel of a pool that calls back from the releasing operation. */
  readonly pool?: string
  /** Runs calls that wait for a connection in the context of their caller. Returns a function that ends it. */
  keepQueuedContext?(tracing: Tracing): () => void
}

/** Traces the calls of a library. Returns a function that stops tracing. */
export function traceLibrary(library: DatabaseLibrary, tracing: Tracing, safely: Safely): () => void {
  const { channels, wrapped, statusOf, pool, keepQueuedContext } = library
  const isTracedElsewhere = createOfficialCheck(wrapped)
  const begin = (message: object) => (isTracedElsewhere() ? undefined : library.startSpan(tracing, message))
  return combineUnsubscribes([
    // OpenTelemetry's wrapper calls this patch if it was applied first.
    keepQueuedContext === undefined || isTracedElsewhere() ? () => {} : keepQueuedContext(tracing),
    ...channels.map((channel) => traceChannel(channel, tracing, safely, begin, statusOf)),
    pool === undefined ? () => {} : keepContext(pool, tracing, safely),
  ])
}

/** How the operations of a management are timed. */
interface OperationTiming {
  readonly clock: Clock
  readonly record: (operation: DatabaseOperation) => void
}

/** Times the calls of a library, whether or not they are traced. Returns a function that stops timing. */
export function timeLibrary(library: DatabaseLibrary, timing: OperationTiming, safely: Safely): () => void {
  return combineUnsubscribes(library.channels.map((channel) => timeChannel(channel, library, timing, safely)))
}

interface RunningOperation {
  readonly call: DatabaseCall
  readonly startedAt: number
  error: unknown
}

function timeChannel(name: string, library: DatabaseLibrary, { clock, record }: OperationTiming, safely: Safely) {
  const { start, end, asyncStart, error } = tracingChannel<unknown, object>(name)
  const running = new WeakMap<object, RunningOperation>()
  const nothing = () => {}

  const begin = safely((message: unknown) => {
    const call = library.callOf(message as object)
    if (call !== undefined) running.set(message as object, { call, startedAt: clock.monotonicTime(), error: undefined })
  }, nothing)
  const fail = safely((message: unknown) => {
    const failed = message as { readonly error?: unknown }
    const operation = running.get(failed)
    if (operation !== undefined) operation.error = failed.error ?? new Error('failed')
  }, nothing)
  const finish = safely((message: unknown) => {
    const operation = running.get(message as object)
    if (operation === undefined) return
    running.delete(message as object)
    const seconds = (clock.monotonicTime() - operation.startedAt) / 1_000
    const { call, error: cause } = operation
    record({ ...call, seconds, error: cause, statusCode: cause === undefined ? undefined : library.statusOf(cause) })
  }, nothing)
  // A synchronous throw ends the operation; promises and callbacks complete later.
  const finishThrown = safely((message: unknown) => {
    if ('error' in (message as object)) finish(message)
  }, nothing)

  const subscriptions = [
    [start, begin],
    [error, fail],
    [end, finishThrown],
    [asyncStart, finish],
  ] as const
  for (const [channel, subscriber] of subscriptions) channel.subscribe(subscriber)
  return () => {
    for (const [channel, subscriber] of subscriptions) channel.unsubscribe(subscriber)
  }
}

/** Returns the error number of MySQL, MariaDB or SQL Server, or the code of MongoDB, from a member of the error. */
export function numberIn(member: 'errno' | 'number' | 'code'): (error: unknown) => string | undefined {
  return (error) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, member) : undefined
    // Operating-system error numbers are negative.
    return typeof value === 'number' && value > 0 ? String(value) : undefined
  }
}
