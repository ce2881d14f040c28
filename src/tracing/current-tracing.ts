import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Tracing } from './tracing.ts'

/**
 * State of the whole process: an asynchronous flow is in one trace, regardless of managements, and the ESM and the
 * CommonJS copy of this package must agree on it.
 */
interface Cell {
  /** The last one of `installed`. */
  current: Tracing | undefined
  readonly installed: Tracing[]
  storage: AsyncLocalStorage<unknown> | undefined
  /** The last one is used. */
  readonly selections: BaggageSelection[]
  /** Called when `current` has changed. */
  readonly watchers: Set<() => void>
}

/** The keys of the baggage whose values are recorded. */
interface BaggageSelection {
  readonly logFields: readonly string[]
  readonly spanAttributes: readonly string[]
}

const key = Symbol.for('upkeep.tracing')

const shared = globalThis as typeof globalThis & { [key]?: Cell }
shared[key] ??= { current: undefined, installed: [], storage: undefined, selections: [], watchers: new Set() }
const cell: Cell = shared[key]

/**
 * Marks an `http.Agent` whose requests are neither traced nor timed: the exporters' own. Shared by all copies of
 * upkeep.
 */
export const untraced: unique symbol = Symbol.for('upkeep.untraced')

/** Returns the tracing of this process; `undefined` while it is off, and then there is no AsyncLocalStorage either. */
export function currentTracing(): Tracing | undefined {
  return cell.current
}

interface InstallOptions {
  /** Whether it is used only while no other tracing is installed. @default false */
  readonly asFallback?: boolean | undefined
}

/**
 * Installs a tracing as that of the process; returns the function that uninstalls it. The last one installed is used.
 */
export function installTracing(tracing: Tracing, { asFallback = false }: InstallOptions = {}): () => void {
  if (asFallback) cell.installed.unshift(tracing)
  else cell.installed.push(tracing)
  updateCurrent()
  let isInstalled = true
  return () => {
    if (!isInstalled) return
    isInstalled = false
    cell.installed.splice(cell.installed.indexOf(tracing), 1)
    updateCurrent()
  }
}

/** Selects what is recorded of the baggage of this process; returns the function that ends it. */
export function selectBaggageKeys(selection: BaggageSelection): () => void {
  cell.selections.push(selection)
  return () => {
    const at = cell.selections.indexOf(selection)
    if (at >= 0) cell.selections.splice(at, 1)
  }
}

/** Returns the selection that is used; `undefined` if nothing of the baggage is recorded. */
export function baggageSelection(): BaggageSelection | undefined {
  return cell.selections.at(-1)
}

function updateCurrent(): void {
  const current = cell.installed.at(-1)
  if (current === cell.current) return
  cell.current = current
  for (const watcher of [...cell.watchers]) watcher()
}

/**
 * Calls `begin` with the tracing of this process, immediately or once one is installed, and again with each other one
 * that replaces it. The function that `begin` returns is called when its tracing is replaced or uninstalled, and by the
 * unsubscribe function that is returned here.
 */
export function whileTracing(begin: (tracing: Tracing) => () => void): () => void {
  let end: (() => void) | undefined
  const restart = () => {
    end?.()
    end = cell.current === undefined ? undefined : begin(cell.current)
  }
  cell.watchers.add(restart)
  restart()
  return () => {
    cell.watchers.delete(restart)
    end?.()
    end = undefined
  }
}

/**
 * Returns the one storage of all tracings of this process. On Node 24 each further storage makes every `run` slower; on
 * Node 20 the first one makes every `await` of the process slower, so it is created only when tracing is switched on.
 */
export function sharedStorage(): AsyncLocalStorage<unknown> {
  cell.storage ??= new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)()
  return cell.storage
}
