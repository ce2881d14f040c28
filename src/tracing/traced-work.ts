import { errorName, onSettled } from '../base/settled-work.ts'
import type { Span } from './span.ts'
import type { Tracing } from './tracing.ts'

/**
 * Runs a function in a span and ends that when all of it is done: when it returns, when its promise settles, or when its
 * generator ends. What it throws is told to the span, and goes to the caller.
 */
export function runInSpan<R>(tracing: Tracing, span: Span, work: (span: Span) => R): R {
  return onSettled(
    () =>
      within(
        tracing,
        span,
        tracing.run(span, () => work(span)),
      ),
    (failed, error) => {
      if (failed) {
        span.setAttributes({ 'error.type': errorName(error) })
        span.fail(error)
      }
      span.end()
    },
  )
}

/** A generator does its work when it is asked for its next value, by whom and whenever that is. */
function within<R>(tracing: Tracing, span: Span, result: R): R {
  const kind = Object.prototype.toString.call(result)
  if (kind !== '[object Generator]' && kind !== '[object AsyncGenerator]') return result
  const generator = result as R & Generator
  const bound = {
    next: (value: unknown) => tracing.run(span, () => generator.next(value)),
    return: (value: unknown) => tracing.run(span, () => generator.return(value)),
    throw: (error: unknown) => tracing.run(span, () => generator.throw(error)),
    [Symbol.iterator]: () => bound,
    [Symbol.asyncIterator]: () => bound,
    [Symbol.toStringTag]: kind.slice('[object '.length, -1),
  }
  // It is what it was, to whoever iterates over it.
  return bound as unknown as R
}
