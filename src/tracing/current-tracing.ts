import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Tracing } from './tracing.ts'

/**
 * What the whole process shares. The trace of an asynchronous flow is the process's and not a management's, and the ESM
 * and the CommonJS copy of this package have to meet in one place.
 */
interface Cell {
  current: Tracing | undefined
  /** Those that are installed; the last one is the current. */
  readonly installed: Tracing[]
  storage: AsyncLocalStorage<unknown> | undefined
  /** Told when the current one is another one. */
  readonly watchers: Set<() => void>
}

const key = Symbol.for('upkeep.tracing')

const shared = globalThis as typeof globalThis & { [key]?: Cell }
shared[key] ??= { current: undefined, installed: [], storage: undefined, watchers: new Set() }
const cell: Cell = shared[key]

/** The tracing of this process; `undefined` while it is off, and then there is no AsyncLocalStorage either. */
export function currentTracing(): Tracing | undefined {
  return cell.current
}

export interface InstallOptions {
  /** Whether it is used only while no other is. @default false */
  readonly asFallback?: boolean | undefined
}

/** Makes a tracing that of the process, until the function that it answers is called. */
export function installTracing(tracing: Tracing, { asFallback = false }: InstallOptions = {}): () => void {
  if (asFallback) cell.installed.unshift(tracing)
  else cell.installed.push(tracing)
  settle()
  let isInstalled = true
  return () => {
    if (!isInstalled) return
    isInstalled = false
    cell.installed.splice(cell.installed.indexOf(tracing), 1)
    settle()
  }
}

function settle(): void {
  const current = cell.installed.at(-1)
  if (current === cell.current) return
  cell.current = current
  for (const watcher of [...cell.watchers]) watcher()
}

/**
 * Calls `begin` with the tracing of this process, now or once there is one, and again when it is another; what `begin`
 * answered is called when its tracing is no longer the current one, and when the function that is answered here is called.
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
 * The one storage of all tracings of this process: every further one is paid for by each `run` on Node 24. On Node 20 one
 * makes every `await` of the process slower, so there is none before somebody traces.
 */
export function sharedStorage(): AsyncLocalStorage<unknown> {
  cell.storage ??= new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)()
  return cell.storage
}
