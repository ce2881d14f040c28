import type { MessagePort } from 'node:worker_threads'
import { type Abortable, createAbortable } from '../../base/abortable.ts'
import { failure } from '../../base/errors.ts'
import { HttpError, isHttpError } from '../../http/errors/http-error.ts'
import type { InputOf, OperationHandlers, OperationName, OutputOf, RunOperation } from './diagnostic-operation.ts'

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

/** Runs the operations that the main thread requests through a port, and sends their outputs. */
export function serveOperations(port: MessagePort, run: RunOperation): void {
  const running = new Map<number, AbortController>()

  const perform = async (request: Extract<OperationRequest, { kind: 'run' }>): Promise<void> => {
    const controller = new AbortController()
    const { id, name, input } = request
    running.set(id, controller)
    try {
      const output = await run(name, input, controller.signal)
      send({ kind: 'done', id, output }, buffersOf(output))
    } catch (error) {
      send({ kind: 'failed', id, failure: describeFailure(error) }, [])
    } finally {
      running.delete(id)
    }
  }
  const send = (response: OperationResponse, buffers: readonly ArrayBuffer[]): void => {
    port.postMessage(response, [...buffers])
  }
  port.on('message', (request: OperationRequest) => {
    if (request.kind === 'cancel') running.get(request.id)?.abort()
    else void perform(request)
  })
}

/** Returns a function that runs an operation in this thread. */
export function createOperations(handlers: OperationHandlers): RunOperation {
  return (name, input, signal) => handlers[name](input, signal)
}

/** Returns the memory of the byte arrays that are members of an output, and that nothing else uses. */
function buffersOf(output: object): readonly ArrayBuffer[] {
  return Object.values(output).flatMap((value: unknown) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
      ? [value.buffer]
      : [],
  )
}

/** A message of the main thread to the diagnosing thread. */
type OperationRequest =
  | {
      readonly [Name in OperationName]: {
        readonly kind: 'run'
        readonly id: number
        readonly name: Name
        readonly input: InputOf<Name>
      }
    }[OperationName]
  | { readonly kind: 'cancel'; readonly id: number }

/** A message of the diagnosing thread to the main thread. */
type OperationResponse =
  | { readonly kind: 'done'; readonly id: number; readonly output: OutputOf<OperationName> }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: OperationFailure }

/** An error as a structured clone: that of a class would lose its class. */
interface OperationFailure {
  readonly message: string
  /** Of an HttpError. */
  readonly http: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined
}

/** Returns an error as the message that {@link readFailure} reads. */
function describeFailure(error: unknown): OperationFailure {
  if (!isHttpError(error)) return { message: error instanceof Error ? error.message : String(error), http: undefined }
  return { message: error.message, http: { status: error.status, headers: error.headers } }
}

/** Returns the error of an operation that failed in the diagnosing thread. */
function readFailure({ message, http }: OperationFailure): Error {
  return http === undefined
    ? failure('UPKEEP_ESTATE', message)
    : new HttpError(http.status, message, { headers: http.headers })
}
