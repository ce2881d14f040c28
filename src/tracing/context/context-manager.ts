import type { AsyncLocalStorage } from 'node:async_hooks'
import { sharedStorage } from '../current-tracing.ts'
import type { OpenTelemetryContext, OpenTelemetryContextManager } from '../open-telemetry.ts'
import { rootContext } from './context.ts'

const brand: unique symbol = Symbol.for('upkeep.contextManager')

/**
 * Creates a context manager for OpenTelemetry's API that stores its contexts where upkeep's tracing does: what is
 * active for one is active for the other.
 */
export function createContextManager(): OpenTelemetryContextManager {
  // Safe: tracings and this manager store nothing but contexts in it.
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
  // Express and others distinguish callbacks by the number of their parameters.
  Object.defineProperty(bound, 'length', { configurable: true, value: target.length })
  return bound as T
}

/** Whether a manager was created by `createContextManager`, also of another copy of upkeep. */
export function isOwnManager(manager: OpenTelemetryContextManager): boolean {
  return brand in manager
}
