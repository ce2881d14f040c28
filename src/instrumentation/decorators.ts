import type { Clock } from '../base/clock.ts'
import { invalidArgument } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { errorName, onSettled } from '../base/settled-work.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { Span, TracedOptions } from '../tracing/span.ts'
import { noException } from './request-tags.ts'

/** An ECMAScript method decorator; not for TypeScript's `experimentalDecorators`. */
export type MethodDecorator = <T, A extends unknown[], R>(
  method: (this: T, ...args: A) => R,
  context: ClassMethodDecoratorContext<T, (this: T, ...args: A) => R>,
) => (this: T, ...args: A) => R

/** Options of the decorators that measure a method. */
export interface MeteredMethodOptions {
  /** Name of the meter. @default 'method.timed' or 'method.counted' */
  readonly name?: string | undefined
  /** Description of the meter. @default 'Duration of method calls' or 'Method calls' */
  readonly description?: string | undefined
}

const foreignNames: ForeignNames = { value: 'name', help: 'description' }

/** Options of the decorator that traces a method. */
export interface TracedMethodOptions {
  /** Name of the span. @default class and method, such as 'Orders.place' */
  readonly name?: string | undefined
}

/** The method decorators of a management. Methods may be synchronous, asynchronous, or generators of either kind. */
export interface Decorators {
  /**
   * Times a method in `method.timed`, with the tags `class`, `method` and `exception`, and runs it in a span if the
   * process is traced.
   */
  timed(options?: MeteredMethodOptions): MethodDecorator
  /** Counts calls of a method in `method.counted`, with the tags `class`, `method`, `result` and `exception`. */
  counted(options?: MeteredMethodOptions): MethodDecorator
  /** Runs a method in a span if the process is traced. */
  traced(options?: TracedMethodOptions): MethodDecorator
}

/** Runs a function in a span. */
export type RunTraced = <R>(name: string, work: (span: Span | undefined) => R, options?: TracedOptions) => R

export function createDecorators(meters: MeterRegistry, clock: Clock, run: RunTraced): Decorators {
  return {
    timed(options = {}) {
      requireKnownOptions('timed', options, ['name', 'description'], { foreignNames })
      const { name = 'method.timed', description = 'Duration of method calls' } = options
      const timers = meters.timers(name, ['class', 'method', 'exception'], { description })
      return decorator('timed', (owner, method, call) => {
        const startedAt = clock.monotonicTime()
        return onSettled(
          () => run(`${owner}.${method}`, call),
          (failed, error) => {
            const seconds = (clock.monotonicTime() - startedAt) / 1_000
            timers.with(owner, method, failed ? errorName(error) : noException).record(seconds)
          },
        )
      })
    },
    counted(options = {}) {
      requireKnownOptions('counted', options, ['name', 'description'], { foreignNames })
      const { name = 'method.counted', description = 'Method calls' } = options
      const counters = meters.counters(name, ['class', 'method', 'result', 'exception'], { description })
      return decorator('counted', (owner, method, call) =>
        onSettled(call, (failed, error) => {
          counters
            .with(owner, method, failed ? 'failure' : 'success', failed ? errorName(error) : noException)
            .increment()
        }),
      )
    },
    traced(options = {}) {
      requireKnownOptions('traced', options, ['name'], { foreignNames: { spanName: 'name' } })
      return decorator('traced', (owner, method, call) => run(options.name ?? `${owner}.${method}`, call))
    },
  }
}

type Around = <R>(owner: string, method: string, call: () => R) => R

function decorator(what: string, around: Around): MethodDecorator {
  return (method, context) => {
    // With experimentalDecorators this is the name of the method.
    if (typeof context !== 'object' || context.kind !== 'method') {
      throw invalidArgument(
        `@${what}(): expected a standard method decorator context; compile without experimentalDecorators`,
      )
    }
    const name = String(context.name)
    const { static: isStatic } = context
    return function (...args) {
      return around(ownerOf(this, isStatic), name, () => method.apply(this, args))
    }
  }
}

function ownerOf(self: unknown, isStatic: boolean): string {
  const owner: unknown = isStatic ? self : (self as object | undefined)?.constructor
  return typeof owner === 'function' && owner.name !== '' ? owner.name : 'anonymous'
}
