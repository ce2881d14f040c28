import type { MessagePort } from 'node:worker_threads'
import { type Abortable, createAbortable } from '../../base/abortable.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { InputOf, OperationName, OutputOf, RunOperation } from './diagnostic-operation.ts'
import { type OperationRequest, type OperationResponse, readFailure } from './operation-messages.ts'

/**
 * Returns a function that runs operations in the thread at the other end of a port. It rejects with a 503 if that
 * thread ends. The port keeps the process alive only while an operation is running.
 */
export function createOperationClient(port: MessagePort): RunOperation {
  const pending = new Map<number, Abortable<OutputOf<OperationName>>>()
  let lastId = 0
  let isClosed = false

  port.on('message', (response: OperationResponse) => {
    const request = pending.get(response.id)
    if (response.kind === 'done') request?.resolve(response.output)
    else request?.reject(readFailure(response.failure))
  })
  port.once('close', () => {
    isClosed = true
    for (const request of [...pending.values()]) request.reject(threadEnded())
  })
  port.unref()

  return async <Name extends OperationName>(name: Name, input: InputOf<Name>, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (isClosed) throw threadEnded()
    lastId += 1
    const id = lastId
    const cancel = () => send({ kind: 'cancel', id })
    // Before the request listens: a listener that is removed while the signal aborts is not called.
    signal.addEventListener('abort', cancel, { once: true })
    const request = createAbortable<OutputOf<Name>>(signal, () => {
      pending.delete(id)
      if (pending.size === 0) port.unref()
      signal.removeEventListener('abort', cancel)
    })
    // Safe: the response with this id is the output of this operation.
    pending.set(id, request as Abortable<OutputOf<OperationName>>)
    port.ref()
    // Safe: the name and the input belong together by the signature.
    send({ kind: 'run', id, name, input } as OperationRequest)
    return request.promise
  }

  function send(request: OperationRequest): void {
    port.postMessage(request)
  }
}

function threadEnded(): HttpError {
  return new HttpError(503, 'The thread for diagnostics has ended; repeat the request.')
}
