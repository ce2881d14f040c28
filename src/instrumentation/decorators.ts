import type { Clock } from '../base/clock.ts'
import { errorName, onSettled } from '../base/settled-work.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import { noException } from './request-timers.ts'
import type { RunTraced } from './tasks/observed-work.ts'

/** A decorator of a method, as ECMAScript has them: not those of TypeScript's `experimentalDecorators`. */
export type MethodDecorator = <T, A extends unknown[], R>(
  method: (this: T, ...args: A) => R,
  context: ClassMethodDecoratorContext<T, (this: T, ...args: A) => R>,
) => (this: T, ...args: A) => R

export interface MeteredMethodOptions {
  /** What the meter is called. @default 'method.timed', or 'method.counted' */
  readonly name?: string | undefined
  readonly description?: string | undefined
}

export interface TracedMethodOptions {
  /** What the span is called. @default the class and the method: 'Orders.place' */
  readonly name?: string | undefined
}

/** The decorators that a management has. What they decorate may be synchronous, asynchronous, or a generator of either kind. */
export interface Decorators {
  /**
   * Times a method in `method.timed`, with the tags `class`, `method` and `exception`, and where the process is traced runs
   * it in a span.
   */
  timed(options?: MeteredMethodOptions): MethodDecorator
  /** Counts the calls of a method in `method.counted`, with the tags `class`, `method`, `result` and `exception`. */
  counted(options?: MeteredMethodOptions): MethodDecorator
  /** Runs a method in a span where the process is traced. */
  traced(options?: TracedMethodOptions): MethodDecorator
}

export function createDecorators(meters: MeterRegistry, clock: Clock, run: RunTraced): Decorators {
  return {
    timed: ({ name = 'method.timed', description = 'Calls of methods' } = {}) => {
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
    counted: ({ name = 'method.counted', description = 'Calls of methods' } = {}) => {
      const counters = meters.counters(name, ['class', 'method', 'result', 'exception'], { description })
      return decorator('counted', (owner, method, call) =>
        onSettled(call, (failed, error) => {
          counters
            .with(owner, method, failed ? 'failure' : 'success', failed ? errorName(error) : noException)
            .increment()
        }),
      )
    },
    traced: ({ name } = {}) => decorator('traced', (owner, method, call) => run(name ?? `${owner}.${method}`, call)),
  }
}

type Around = <R>(owner: string, method: string, call: () => R) => R

function decorator(what: string, around: Around): MethodDecorator {
  return (method, context) => {
    // With experimentalDecorators it is the name of the method.
    if (typeof context !== 'object' || context.kind !== 'method') {
      throw new TypeError(`@${what}() is a standard decorator for methods: compile without experimentalDecorators`)
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
