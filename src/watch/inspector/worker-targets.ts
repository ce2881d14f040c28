import type { NodeWorker, Session } from 'node:inspector'
import { threadId } from 'node:worker_threads'
import { withDeadline } from '../../base/deadline.ts'
import { failure } from '../../base/errors.ts'
import type { CommandName, InspectorTarget, ParamsOf, ResultOf } from './inspector-target.ts'
import { commandMilliseconds } from './main-session.ts'

interface WorkerTargets {
  /** Resolves when the threads that run have been attached. */
  readonly ready: Promise<void>
  /** Detaches from all of them. */
  close(): void
}

interface AttachOptions {
  /** Whether the threads that start later are attached, too. @default false */
  readonly includeLater?: boolean
  /** Called for a thread that has ended while it was attached. */
  readonly ended?: (target: InspectorTarget) => void
}

/**
 * Attaches to the worker threads of the main thread. The diagnosing thread is left out: it could not execute its own
 * commands.
 *
 * Node aborts the process if a command is passed to a thread at the very moment at which that frees its inspector.
 * So a caller sends few, and none that follows the resumption of a thread, which may then end: `detach` resumes it.
 * It also has to detach: sessions with worker threads outlive that with the main thread.
 */
export function attachWorkers(
  session: Session,
  attached: (target: InspectorTarget) => void,
  { includeLater = false, ended = () => {} }: AttachOptions = {},
): WorkerTargets {
  const targets = new Map<string, WorkerTarget>()

  const attach = ({
    params: { sessionId, workerInfo },
  }: {
    params: NodeWorker.AttachedToWorkerEventDataType
  }): void => {
    const detach = (): void => {
      targets.delete(sessionId)
      session.post('NodeWorker.detach', { sessionId })
    }
    // The id of the inspector is not that of the thread, which is only in the title: `[worker 3] name`.
    const [, id, name = ''] = /^\[worker (\d+)\] ?(.*)$/s.exec(workerInfo.title) ?? []
    if (id === undefined || Number(id) === threadId) {
      detach()
      return
    }
    const send = (message: string, failed: (error: Error) => void): void => {
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message }, (error) => {
        if (error !== null) failed(error)
      })
    }
    const target = new WorkerTarget(id, name === '' ? `worker ${id}` : `worker ${id} ${name}`, send, detach)
    targets.set(sessionId, target)
    attached(target)
  }
  const removeEnded = ({ params: { sessionId } }: { params: NodeWorker.DetachedFromWorkerEventDataType }): void => {
    const target = targets.get(sessionId)
    if (target === undefined) return
    targets.delete(sessionId)
    target.end('has ended')
    ended(target)
  }
  const receive = ({
    params: { sessionId, message },
  }: {
    params: NodeWorker.ReceivedMessageFromWorkerEventDataType
  }): void => {
    targets.get(sessionId)?.receive(message)
  }
  session.on('NodeWorker.attachedToWorker', attach)
  session.on('NodeWorker.detachedFromWorker', removeEnded)
  session.on('NodeWorker.receivedMessageFromWorker', receive)
  const ready = new Promise<void>((resolve, reject) => {
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
  // Those that are attached stay so.
  if (!includeLater) session.post('NodeWorker.disable')
  return {
    ready: withDeadline(ready, commandMilliseconds, 'NodeWorker.enable'),
    close() {
      session.off('NodeWorker.attachedToWorker', attach)
      session.off('NodeWorker.detachedFromWorker', removeEnded)
      session.off('NodeWorker.receivedMessageFromWorker', receive)
      if (includeLater) session.post('NodeWorker.disable')
      for (const target of [...targets.values()]) target.detach()
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
  readonly #send: (message: string, failed: (error: Error) => void) => void
  readonly #detach: () => void
  readonly #pending = new Map<number, PendingCommand>()
  readonly #listeners: (readonly [event: string, listener: (params: unknown) => void])[] = []
  #lastId = 0
  #ended = false

  constructor(
    id: string,
    thread: string,
    send: (message: string, failed: (error: Error) => void) => void,
    detach: () => void,
  ) {
    this.id = id
    this.thread = thread
    this.#send = send
    this.#detach = detach
  }

  post<Name extends CommandName>(name: Name, ...[params]: ParamsOf<Name>): Promise<ResultOf<Name>> {
    if (this.#ended) return Promise.reject(failure('UPKEEP_ESTATE', `${name}: ${this.thread} is not attached`))
    this.#lastId += 1
    const id = this.#lastId
    const response = new Promise<ResultOf<Name>>((resolve, reject) => {
      // Safe: the table of commands states the results of the protocol.
      this.#pending.set(id, { name, reject, resolve: (result) => resolve(result as ResultOf<Name>) })
      this.#send(JSON.stringify({ id, method: name, params }), reject)
    })
    return withDeadline(response, commandMilliseconds, name).finally(() => this.#pending.delete(id))
  }

  on(event: string, listener: (params: unknown) => void): void {
    this.#listeners.push([event, listener])
  }

  detach(): void {
    if (this.#ended) return
    this.#detach()
    this.end('is not attached')
  }

  /** Rejects the commands without a response. */
  end(reason: string): void {
    this.#ended = true
    for (const { name, reject } of this.#pending.values())
      reject(failure('UPKEEP_ESTATE', `${name}: ${this.thread} ${reason}`))
  }

  receive(text: string): void {
    const message: WorkerMessage = JSON.parse(text)
    if (message.id !== undefined) this.#settle(message.id, message)
    else for (const [event, listener] of this.#listeners) if (event === message.method) listener(message.params)
  }

  #settle(id: number, { result, error }: WorkerMessage): void {
    const command = this.#pending.get(id)
    if (error === undefined) command?.resolve(result)
    else command?.reject(failure('UPKEEP_ESTATE', error.message))
  }
}

/** A command that has no response yet. */
interface PendingCommand {
  readonly name: CommandName
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}
