import { type Channel, channel, tracingChannel } from 'node:diagnostics_channel'
import type { Span } from '../../tracing/span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { failSpan } from '../fail-span.ts'
import type { Safely } from '../safely.ts'

/** An operation in progress. */
interface PendingOperation {
  readonly span: Span | undefined
  /** The store of the caller. */
  readonly around: unknown
  /** The caller's span, where the store was empty because an SDK of the application stores its context elsewhere. */
  readonly caller: Span | undefined
}

/**
 * Creates a span for every operation published on a TracingChannel: active while the operation is started, ended when
 * it completes. Callbacks run in the context of their caller, even where one connection serves many callers. `begin`
 * starts the span, unless an operation is not traced; `statusOf` returns `db.response.status_code` of an error.
 */
export function traceChannel<M extends object>(
  name: string,
  tracing: Tracing,
  safely: Safely,
  begin: (message: M, tracing: Tracing) => Span | undefined,
  statusOf: (error: unknown) => string | undefined = () => undefined,
): () => void {
  return subscribeOnce(`tracing:${name}:start`, tracing, () => {
    const { storage } = tracing
    const { start, end, asyncStart, error } = tracingChannel<unknown, M>(name)
    const going = new WeakMap<M, PendingOperation>()

    const enter = safely(
      (message: M): unknown => {
        const around = storage.getStore()
        const caller = around === undefined ? tracing.activeSpan() : undefined
        const span = shouldTrace(tracing) ? begin(message, tracing) : undefined
        going.set(message, { span, around, caller })
        return span === undefined ? around : tracing.contextWith(span)
      },
      () => storage.getStore(),
    )
    const comeBack = (message: M): unknown => {
      const known = going.get(message)
      if (known === undefined) return storage.getStore()
      return known.caller === undefined ? known.around : tracing.contextWith(known.caller)
    }
    const nothing = () => {}
    const fail = safely((message: unknown) => {
      const failed = message as M & { readonly error?: unknown }
      const span = going.get(failed)?.span
      if (span !== undefined) failSpan(span, failed.error, statusOf(failed.error))
    }, nothing)
    const finish = safely((message: unknown) => {
      going.get(message as M)?.span?.end()
      going.delete(message as M)
    }, nothing)
    // A synchronous throw ends the operation; promises and callbacks complete later.
    const finishThrown = safely((message: unknown) => {
      if ('error' in (message as M)) finish(message)
    }, nothing)

    start.bindStore(storage, enter)
    asyncStart.bindStore(storage, comeBack)
    error.subscribe(fail)
    end.subscribe(finishThrown)
    // Not asyncEnd, which is published after the callback.
    asyncStart.subscribe(finish)
    return () => {
      start.unbindStore(storage)
      asyncStart.unbindStore(storage)
      error.unsubscribe(fail)
      end.unsubscribe(finishThrown)
      asyncStart.unsubscribe(finish)
    }
  })
}

/** Children of a non-recording span are not recorded either, and databases do not propagate context. */
function shouldTrace(tracing: Tracing): boolean {
  return !tracing.isSuppressed() && tracing.activeSpan()?.isRecording !== false
}

/**
 * Runs callbacks in the context of their caller, without a span: for pools, which call back from the releasing
 * operation.
 */
export function keepContext<M extends object>(name: string, tracing: Tracing, safely: Safely): () => void {
  return traceChannel<M>(name, tracing, safely, () => undefined)
}

const subscription: unique symbol = Symbol.for('upkeep.subscription')

interface Subscription {
  /** What the subscription was made for; one with another key replaces it. */
  readonly key: object
  users: number
  readonly end: () => void
}

interface SharedChannel extends Channel {
  [subscription]?: Subscription | undefined
}

/**
 * Subscribes to a channel once per process, until the last user unsubscribes: two managements, or duplicate installs of
 * upkeep, must not create two spans for one query. Stored on the channel, which is process-wide.
 */
export function subscribeOnce(name: string, key: object, begin: () => () => void): () => void {
  const at: SharedChannel = channel(name)
  if (at[subscription]?.key !== key) {
    at[subscription]?.end()
    at[subscription] = { key, users: 0, end: begin() }
  }
  const shared = at[subscription]
  shared.users += 1
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    shared.users -= 1
    if (shared.users > 0 || at[subscription] !== shared) return
    at[subscription] = undefined
    shared.end()
  }
}
