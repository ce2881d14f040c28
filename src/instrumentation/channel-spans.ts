import { tracingChannel } from 'node:diagnostics_channel'
import type { Span } from '../tracing/span.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { failSpan } from './database/spans/fail-span.ts'
import type { Safely } from './safely.ts'
import { subscribeOnce } from './shared-subscription.ts'

/** An operation in progress. */
interface PendingOperation {
  readonly span: Span | undefined
  /** The store of the caller. */
  readonly around: unknown
  /** The caller's span, where the store was empty because an SDK of the application stores its context elsewhere. */
  readonly caller: Span | undefined
}

/** Starts the span of an operation from its channel message; `undefined` if it is not traced. */
type BeginSpan<M> = (message: M, tracing: Tracing) => Span | undefined

/** Returns `db.response.status_code` of an error. */
type StatusOf = (error: unknown) => string | undefined

/**
 * Creates a span for every operation published on a TracingChannel: active while the operation is started, ended when
 * it completes. Callbacks run in the context of their caller, even where one connection serves many callers.
 */
export function traceChannel<M extends object>(
  name: string,
  tracing: Tracing,
  safely: Safely,
  begin: BeginSpan<M>,
  statusOf: StatusOf = () => undefined,
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
