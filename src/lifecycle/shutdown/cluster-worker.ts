import type { Cluster, Worker } from 'node:cluster'
import type { Server } from 'node:net'
import { lazy } from '../../base/lazy.ts'
import type { Availability } from '../availability.ts'

/** What the primary of `node:cluster` sends to a worker about its shutdown, over their channel. */
export type PrimaryRequest =
  | { readonly type: 'upkeep:readiness' }
  /** Without `all`, other workers take over, and no load balancer has to notice. */
  | { readonly type: 'upkeep:shutdown'; readonly reason: string; readonly all: boolean }

/** What a worker replies: that it has received the request, and that it listens and accepts traffic. */
export interface WorkerReply {
  readonly type: 'upkeep:acknowledged' | 'upkeep:ready'
}

/** Returns whether a message of a worker is the given reply. */
export function isReply(message: unknown, type: WorkerReply['type']): boolean {
  return typeOf(message) === type
}

interface WorkerShutdown {
  readonly servers: readonly Server[]
  readonly availability: Availability
  /** Starts the shutdown, if it has not started. */
  readonly begin: (reason: string, start: 'delayed' | 'without delay') => void
}

const currentWorker = lazy((): Worker | undefined => {
  // A process without a channel to its parent does not load the module.
  if (process.send === undefined) return undefined
  // Safe: the types describe the module as `import` returns it.
  const module: object = process.getBuiltinModule('node:cluster')
  return (module as Cluster).worker
})

/** Handles the requests of the primary, in a worker of `node:cluster`. Returns an unsubscribe function. */
export function handlePrimaryRequests({ servers, availability, begin }: WorkerShutdown): () => void {
  const worker = currentWorker()
  if (worker === undefined) return () => {}
  const unsubscribe: (() => void)[] = []

  const receive = (message: unknown): void => {
    if (typeOf(message) === 'upkeep:readiness') {
      reply(worker, { type: 'upkeep:acknowledged' })
      unsubscribe.push(onceReady(servers, availability, () => reply(worker, { type: 'upkeep:ready' })))
    } else if (isShutdownRequest(message)) {
      reply(worker, { type: 'upkeep:acknowledged' })
      begin(message.reason, message.all ? 'delayed' : 'without delay')
    }
  }

  worker.on('message', receive)
  return () => {
    worker.off('message', receive)
    for (const each of unsubscribe) each()
  }
}

/** Calls a listener once all servers listen and the application accepts traffic. Returns an unsubscribe function. */
function onceReady(servers: readonly Server[], availability: Availability, listener: () => void): () => void {
  const check = (): void => {
    if (availability.readiness !== 'ACCEPTING_TRAFFIC' || !servers.every(({ listening }) => listening)) return
    end()
    listener()
  }
  const endChanges = availability.onChange(check)
  for (const server of servers) server.on('listening', check)
  const end = (): void => {
    endChanges()
    for (const server of servers) server.off('listening', check)
  }
  check()
  return end
}

/** Lets a worker of `node:cluster` finish its requests if the primary exits meanwhile: it would exit immediately. */
export function outlivePrimary(): void {
  const worker = currentWorker()
  if (worker !== undefined) worker.exitedAfterDisconnect = true
}

/** How long a primary that does not respond may delay the exit of a worker. */
const leaveMilliseconds = 1_000

/**
 * Leaves the primary of `node:cluster` before an exit: it may have sent a connection that this worker, which does not
 * listen anymore, has to return to it. Returns `undefined` in other processes.
 */
export function leavePrimary(): Promise<void> | undefined {
  const worker = currentWorker()
  if (!worker?.isConnected()) return undefined
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, leaveMilliseconds)
    process.once('disconnect', () => {
      clearTimeout(timer)
      resolve()
    })
    worker.disconnect()
  })
}

function reply(worker: Worker, message: WorkerReply): void {
  // The primary may have ended: the callback keeps the error from being emitted.
  if (worker.isConnected()) worker.send(message, () => {})
}

function isShutdownRequest(message: unknown): message is PrimaryRequest & { readonly type: 'upkeep:shutdown' } {
  return typeOf(message) === 'upkeep:shutdown'
}

function typeOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined
}
