import type { AsyncLocalStorage } from 'node:async_hooks'
import { lazy } from '../../base/lazy.ts'

const hooks = lazy(() => process.getBuiltinModule('node:async_hooks'))

/** Whether Node keeps all storages of a flow in one frame, which is copied whenever one of them changes. */
const hasFrames = Number(process.versions.node.split('.')[0]) >= 24

/**
 * Runs a function with a value in a storage. Other than with `storage.run`, what the function enters into other storages
 * stays inside too: where there are frames, `run` copies one on its way out as well, and the scope of a resource none.
 */
export function runIsolated<T>(storage: AsyncLocalStorage<unknown>, value: unknown, fn: () => T): T {
  if (!hasFrames) return storage.run(value, fn)
  return new (hooks().AsyncResource)('UPKEEP_REQUEST').runInAsyncScope<undefined, T>(
    enter,
    undefined,
    storage,
    value,
    fn,
  )
}

function enter<T>(storage: AsyncLocalStorage<unknown>, value: unknown, fn: () => T): T {
  storage.enterWith(value)
  return fn()
}
