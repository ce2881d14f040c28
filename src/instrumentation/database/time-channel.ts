import { tracingChannel } from 'node:diagnostics_channel'
import type { Clock } from '../../base/clock.ts'
import type { Safely } from '../safely.ts'
import type { DatabaseCall, DatabaseOperation } from './database-operation.ts'

/** How the operations of a management are timed. */
interface OperationTiming {
  readonly clock: Clock
  readonly record: (operation: DatabaseOperation) => void
}

/** Times the operations of one library, whether or not they are traced. Returns a function that stops timing. */
export type TimeLibrary = (timing: OperationTiming, safely: Safely) => () => void

interface RunningOperation {
  readonly call: DatabaseCall
  readonly startedAt: number
  error: unknown
}

/** Times every operation published on a TracingChannel that `describe` returns a call for. */
export function timeChannel<M extends object>(
  name: string,
  { clock, record }: OperationTiming,
  safely: Safely,
  describe: (message: M) => DatabaseCall | undefined,
  statusOf: (error: unknown) => string | undefined = () => undefined,
): () => void {
  const { start, end, asyncStart, error } = tracingChannel<unknown, M>(name)
  const running = new WeakMap<object, RunningOperation>()
  const nothing = () => {}

  const begin = safely((message: unknown) => {
    const call = describe(message as M)
    if (call !== undefined) running.set(message as M, { call, startedAt: clock.monotonicTime(), error: undefined })
  }, nothing)
  const fail = safely((message: unknown) => {
    const failed = message as M & { readonly error?: unknown }
    const operation = running.get(failed)
    if (operation !== undefined) operation.error = failed.error ?? new Error('failed')
  }, nothing)
  const finish = safely((message: unknown) => {
    const operation = running.get(message as M)
    if (operation === undefined) return
    running.delete(message as M)
    const seconds = (clock.monotonicTime() - operation.startedAt) / 1_000
    const { call, error: cause } = operation
    record({ ...call, seconds, error: cause, statusCode: cause === undefined ? undefined : statusOf(cause) })
  }, nothing)
  // A synchronous throw ends the operation; promises and callbacks complete later.
  const finishThrown = safely((message: unknown) => {
    if ('error' in (message as M)) finish(message)
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
