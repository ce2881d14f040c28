import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { collectGarbage } from './collect-garbage.ts'

/** What keeps memory, descriptors or threads until it is ended; everything else ends by itself. */
const lasting =
  /^(Timeout|Immediate|\w*WRAP|WORKER|MESSAGEPORT|ELDHISTOGRAM|DNSCHANNEL|INSPECTORJSBINDING|StatWatcher|FSEVENT\w*)$/

/** The requests that these names also match: each ends with its callback. */
const passing = /REQ|CONNECTWRAP|WRITEWRAP|SHUTDOWNWRAP/

/** Timers and handles that a function creates, whether or not they keep the process alive. */
export interface OpenHandles {
  run<R>(work: () => R): R
  /** The kinds of those that have not ended. */
  kinds(): Promise<readonly string[]>
  close(): void
}

export function followHandles(): OpenHandles {
  const open = new Map<number, string>()
  const within = new AsyncLocalStorage<object>()
  const own = {}
  const hook = createHook({
    init(id, kind) {
      if (within.getStore() === own && lasting.test(kind) && !passing.test(kind)) open.set(id, kind)
    },
    destroy: (id) => void open.delete(id),
  }).enable()
  return {
    run: (work) => within.run(own, work),
    async kinds() {
      await new Promise(setImmediate)
      collectGarbage()
      await new Promise(setImmediate)
      return [...open.values()].sort()
    },
    close: () => void hook.disable(),
  }
}
