import type { Cluster } from 'node:cluster'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Server } from 'node:net'
import type { ListenOptions, Preparation, Waking } from './preparation.ts'
import type { start } from './start.ts'

/** The file that is loaded when the process wakes. */
interface StartFile {
  readonly start: typeof start
}

/** What node:net publishes of a server, and node:http of a request without `options`. */
interface Published {
  readonly server: Server
  readonly options?: ListenOptions
}

/** Published before a server binds its address. */
const listening = 'tracing:net.server.listen:asyncStart'
/** Published for each request: a server may get its listener of requests after `listen()`. */
const requested = 'http.server.request.start'

/** Calls `start` of `start.ts` once: at the first HTTP server, in the primary of its workers, or at once. */
export function wakeOnce(preparation: Preparation): void {
  const wake = (waking: Waking): void => {
    unsubscribe(listening, onListen)
    unsubscribe(requested, onRequest)
    load().start(preparation, waking)
  }
  const onListen = contained(({ server, options }) => {
    if (isHttp(server)) wake({ cause: 'server', server, ...(options && { options }) })
    else if (hasWorkers()) wake({ cause: 'primary' })
  })
  const onRequest = contained(({ server }) => wake({ cause: 'server', server }))
  if (preparation.isImmediate) {
    contained(() => wake({ cause: 'always' }))(undefined)
    return
  }
  subscribe(listening, onListen)
  subscribe(requested, onRequest)
}

/** Without loading node:http2, whose servers may get their listeners after `listen()`. */
function isHttp(server: Server): boolean {
  return server.listenerCount('request') > 0 || 'updateSettings' in server
}

/** Whether this process is the primary of workers of `node:cluster`, whose servers have no listener of requests. */
function hasWorkers(): boolean {
  if (process.env['NODE_UNIQUE_ID'] !== undefined) return false
  // Safe: the types describe the module as `import` returns it.
  const module: object = process.getBuiltinModule('node:cluster')
  return Object.keys((module as Cluster).workers ?? {}).length > 0
}

/** Loads the rest synchronously, because the first request may come before an `import()` is done. */
function load(): StartFile {
  return createRequire(import.meta.url)('./auto-start.cjs')
}

/** An error of a subscriber would be an uncaught exception. */
function contained(subscriber: (message: Published) => void): (message: unknown) => void {
  return (message) => {
    try {
      subscriber(message as Published)
    } catch (error) {
      writeLine(`upkeep: auto: its files cannot be loaded: ${error}`)
    }
  }
}

/** What reports other errors is not loaded. */
function writeLine(line: string): void {
  if (/^\s*(?:true|1)\s*$/i.test(process.env['UPKEEP_QUIET'] ?? '')) return
  try {
    writeSync(2, `${line.replaceAll('\n', ' ')}\n`)
  } catch {
    // A pipe that is full or closed.
  }
}
