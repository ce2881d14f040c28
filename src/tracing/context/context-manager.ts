import type { AsyncLocalStorage } from 'node:async_hooks'
import { sharedStorage } from '../current-tracing.ts'
import type { OpenTelemetryContext, OpenTelemetryContextManager } from '../open-telemetry.ts'
import { rootContext } from './context.ts'

const brand: unique symbol = Symbol.for('upkeep.contextManager')

/**
 * A context manager for OpenTelemetry over the storage of upkeep's tracing, so that its context and ours are one. To be
 * registered by whoever sets OpenTelemetry up, with `context.setGlobalContextManager`.
 */
export function createContextManager(): OpenTelemetryContextManager {
  // Tracings keep nothing else in it than contexts.
  const storage = sharedStorage() as AsyncLocalStorage<OpenTelemetryContext>
  const manager: OpenTelemetryContextManager & { readonly [brand]: true } = {
    [brand]: true,
    active: () => storage.getStore() ?? rootContext,
    with(context, fn, thisArg, ...args) {
      return storage.run(context, () => fn.apply(thisArg as ThisParameterType<typeof fn>, args))
    },
    bind: (context, target) =>
      typeof target === 'function' ? bind(storage, context, target as typeof target & Callable) : target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

type Callable = (...args: unknown[]) => unknown

function bind<T>(
  storage: AsyncLocalStorage<OpenTelemetryContext>,
  context: OpenTelemetryContext,
  target: T & Callable,
): T {
  const bound = function (this: unknown, ...args: unknown[]): unknown {
    return storage.run(context, () => target.apply(this, args))
  }
  // What looks at a callback's parameters, as Express does, sees the same.
  Object.defineProperty(bound, 'length', { configurable: true, value: target.length })
  return bound as T
}

/** Whether a manager keeps its contexts where upkeep's tracing does. */
export function isOwnManager(manager: OpenTelemetryContextManager): boolean {
  return brand in manager
}
