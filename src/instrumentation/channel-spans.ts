import { tracingChannel } from 'node:diagnostics_channel'
import type { Span } from '../tracing/span.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { failSpan } from './database/spans/fail-span.ts'
import type { Safely } from './safely.ts'
import { subscribeOnce } from './shared-subscription.ts'

/** One operation that is going on. */
interface Going {
  readonly span: Span | undefined
  /** What the storage held where the operation was called. */
  readonly around: unknown
  /** The caller's span where the storage held nothing, because an SDK of the application's keeps its contexts elsewhere. */
  readonly caller: Span | undefined
}

/** Begins the span of an operation, as the library tells of it; `undefined` where it is not to be traced. */
export type BeginSpan<M> = (message: M, tracing: Tracing) => Span | undefined

/** What `db.response.status_code` an error has. */
export type StatusOf = (error: unknown) => string | undefined

/**
 * Makes a span of every operation that a library tells of by a TracingChannel: active while the operation is begun, ended
 * when it is done. A callback runs in the context of its caller, whatever connection brings it the answer.
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
    const going = new WeakMap<M, Going>()

    const enter = safely(
      (message: M): unknown => {
        const around = storage.getStore()
        const caller = around === undefined ? tracing.activeSpan() : undefined
        const span = isToBeTraced(tracing) ? begin(message, tracing) : undefined
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
    // It is over when it threw at once; what a promise or a callback brings comes later.
    const finishThrown = safely((message: unknown) => {
      if ('error' in (message as M)) finish(message)
    }, nothing)

    start.bindStore(storage, enter)
    asyncStart.bindStore(storage, comeBack)
    error.subscribe(fail)
    end.subscribe(finishThrown)
    // Not asyncEnd, which comes only after the callback.
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

/** Below a span that nobody records there is nothing to tell, and its ids are not sent on. */
function isToBeTraced(tracing: Tracing): boolean {
  return !tracing.isSuppressed() && tracing.activeSpan()?.isRecording !== false
}

/** Has callbacks run in the context of their caller, without a span: for a pool, which calls back from whoever releases. */
export function keepContext<M extends object>(name: string, tracing: Tracing, safely: Safely): () => void {
  return traceChannel<M>(name, tracing, safely, () => undefined)
}
