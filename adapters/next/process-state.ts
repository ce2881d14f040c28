import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { Management } from '../../src/entries/index.ts'

/** What the module graphs of Next.js share: each has its own copy of every module of the application. */
interface ProcessState {
  management: Management | undefined
  /** The response that node:http sends for the current request. */
  readonly responses: AsyncLocalStorage<ServerResponse>
}

const key = Symbol.for('upkeep.next')

const shared = globalThis as typeof globalThis & { [key]?: ProcessState }

export function processState(): ProcessState {
  shared[key] ??= { management: undefined, responses: new AsyncLocalStorage() }
  return shared[key]
}
