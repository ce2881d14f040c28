import type { NodeWorker, Session } from 'node:inspector'
import { threadId } from 'node:worker_threads'
import { withDeadline } from '../../base/deadline.ts'
import type { CommandName, InspectorTarget, ParamsOf, ResultOf } from './inspector-target.ts'
import { commandMilliseconds } from './main-session.ts'

interface WorkerTargets {
  /** Resolves when the threads that run have been attached. */
  readonly ready: Promise<void>
  /** Detaches from all of them, and from those that would start later. */
  close(): void
}

/**
 * Attaches to the worker threads of the main thread: those that run, and those that start later. This thread is left
 * out: it could not execute its own commands. `ended` is called for a thread that has ended.
 */
export function attachWorkers(
  session: Session,
  attached: (target: InspectorTarget) => void,
  ended: (target: InspectorTarget) => void,
): WorkerTargets {
  const targets = new Map<string, WorkerTarget>()

  const attach = ({
    params: { sessionId, workerInfo },
  }: {
    params: NodeWorker.AttachedToWorkerEventDataType
  }): void => {
    // The id of the inspector is not that of the thread, which is only in the title: `[worker 3] name`.
    const [, id, name = ''] = /^\[worker (\d+)\] ?(.*)$/s.exec(workerInfo.title) ?? []
    if (id === undefined || Number(id) === threadId) {
      session.post('NodeWorker.detach', { sessionId })
      return
    }
    const target = new WorkerTarget(session, sessionId, id, name === '' ? `worker ${id}` : `worker ${id} ${name}`)
    targets.set(sessionId, target)
    attached(target)
  }
  const detach = ({ params: { sessionId } }: { params: NodeWorker.DetachedFromWorkerEventDataType }): void => {
    const target = targets.get(sessionId)
    targets.delete(sessionId)
    if (target !== undefined) ended(target)
  }
  const receive = ({
    params: { sessionId, message },
  }: {
    params: NodeWorker.ReceivedMessageFromWorkerEventDataType
  }): void => {
    targets.get(sessionId)?.receive(message)
  }
  session.on('NodeWorker.attachedToWorker', attach)
  session.on('NodeWorker.detachedFromWorker', detach)
  session.on('NodeWorker.receivedMessageFromWorker', receive)
  const ready = new Promise<void>((resolve, reject) => {
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
  return {
    ready: withDeadline(ready, commandMilliseconds, 'NodeWorker.enable'),
    close() {
      session.off('NodeWorker.attachedToWorker', attach)
      session.off('NodeWorker.detachedFromWorker', detach)
      session.off('NodeWorker.receivedMessageFromWorker', receive)
      session.post('NodeWorker.disable')
    },
  }
}

/** A message of a worker thread: the result of a command, or an event. */
interface WorkerMessage {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
  readonly method?: string
  readonly params?: unknown
}

class WorkerTarget implements InspectorTarget {
  readonly id: string
  readonly thread: string
  readonly #session: Session
  readonly #sessionId: string
  readonly #pending = new Map<number, (message: WorkerMessage) => void>()
  readonly #listeners: (readonly [event: string, listener: (params: unknown) => void])[] = []
  #lastId = 0

  constructor(session: Session, sessionId: string, id: string, thread: string) {
    this.#session = session
    this.#sessionId = sessionId
    this.id = id
    this.thread = thread
  }

  post<Name extends CommandName>(name: Name, ...[params]: ParamsOf<Name>): Promise<ResultOf<Name>> {
    this.#lastId += 1
    const id = this.#lastId
    const response = new Promise<ResultOf<Name>>((resolve, reject) => {
      this.#pending.set(id, ({ result, error }) => {
        // Safe: the table of commands states the results of the protocol.
        if (error === undefined) resolve(result as ResultOf<Name>)
        else reject(new Error(error.message))
      })
      const message = JSON.stringify({ id, method: name, params })
      this.#session.post('NodeWorker.sendMessageToWorker', { sessionId: this.#sessionId, message }, (error) => {
        if (error !== null) reject(error)
      })
    })
    return withDeadline(response, commandMilliseconds, name).finally(() => this.#pending.delete(id))
  }

  on(event: string, listener: (params: unknown) => void): void {
    this.#listeners.push([event, listener])
  }

  receive(text: string): void {
    const message: WorkerMessage = JSON.parse(text)
    if (message.id !== undefined) this.#pending.get(message.id)?.(message)
    else for (const [event, listener] of this.#listeners) if (event === message.method) listener(message.params)
  }
}
