import type { Worker } from 'node:cluster'
import { isReply, type PrimaryRequest, type WorkerReply } from '../../lifecycle/shutdown/cluster-worker.ts'

/** How long a worker may take to acknowledge a request. One that does not call `shutdownGracefully` never does. */
const acknowledgeMilliseconds = 1_000

/** Sends a request to a worker. Resolves with whether the worker acknowledges it. Never rejects. */
export async function requestOf(worker: Worker, request: PrimaryRequest): Promise<boolean> {
  if (!worker.isConnected()) return false
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), acknowledgeMilliseconds)
  const acknowledged = replyOf(worker, 'upkeep:acknowledged', late.signal)
  // The worker may exit meanwhile: without a callback the error would be emitted.
  worker.send(request, () => {})
  const isAcknowledged = await acknowledged
  clearTimeout(timer)
  return isAcknowledged
}

/** Resolves with whether a worker replies before it disconnects, and before the signal aborts. Never rejects. */
export function replyOf(worker: Worker, type: WorkerReply['type'], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isReceived: boolean): void => {
      worker.off('message', receive).off('disconnect', fail)
      signal.removeEventListener('abort', fail)
      resolve(isReceived)
    }
    const receive = (message: unknown): void => void (isReply(message, type) && end(true))
    const fail = (): void => end(false)
    worker.on('message', receive).on('disconnect', fail)
    signal.addEventListener('abort', fail)
  })
}
