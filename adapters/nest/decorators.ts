import { requireKnownOptions, withErrorCode } from '../../src/entries/adapter.ts'
import type { Management, Observation } from '../../src/entries/index.ts'
import type { MeteredMethodOptions, TracedMethodOptions } from '../../src/entries/instrumentation.ts'
import { managementOf } from './applications.ts'
import { standInFor } from './metadata.ts'

/**
 * Times a method in the timer `method.timed`, with the tags `class`, `method` and `exception`, and runs it in a span if
 * the process is traced. For `experimentalDecorators`.
 */
export function Timed(options: MeteredMethodOptions = {}): MethodDecorator {
  requireKnownOptions('@Timed', options, ['name', 'description'], { foreignNames: { help: 'description' } })
  return observeMethod('Timed', (observation) => observation.timed(options))
}

/**
 * Counts calls of a method in `method.counted`, with the tags `class`, `method`, `result` and `exception`. For
 * `experimentalDecorators`.
 */
export function Counted(options: MeteredMethodOptions = {}): MethodDecorator {
  requireKnownOptions('@Counted', options, ['name', 'description'], { foreignNames: { help: 'description' } })
  return observeMethod('Counted', (observation) => observation.counted(options))
}

/** Runs a method in a span if the process is traced. For `experimentalDecorators`. */
export function Traced(options: TracedMethodOptions = {}): MethodDecorator {
  requireKnownOptions('@Traced', options, ['name'], { foreignNames: { spanName: 'name' } })
  return observeMethod('Traced', (observation) => observation.traced(options))
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** The management is found when the method is called: classes are decorated before there is one. */
function observeMethod(
  decorator: string,
  decorate: (observation: Observation) => ReturnType<Observation['timed']>,
): MethodDecorator {
  return <T>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<T>) => {
    const method: unknown = descriptor?.value
    if (!isMethod(method)) {
      throw withErrorCode(
        new TypeError(`@${decorator}(): expected a method of a class compiled with experimentalDecorators`),
        'UPKEEP_EARGUMENT',
      )
    }
    // Safe: the decorators of an observation read these members only.
    const context = { kind: 'method', name: key, static: typeof target === 'function' } as ClassMethodDecoratorContext
    const observed = new WeakMap<Management, Method>()
    const standIn: Method = function (...args) {
      const management = managementOf(this)
      if (management === undefined) return method.apply(this, args)
      const known = observed.get(management) ?? decorate(management.observation)(method, context)
      observed.set(management, known)
      return known.apply(this, args)
    }
    return Object.assign(descriptor, { value: standInFor(method, standIn) })
  }
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}
