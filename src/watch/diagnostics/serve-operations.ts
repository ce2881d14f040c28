import type { MessagePort } from 'node:worker_threads'
import type { OperationHandlers, RunOperation } from './diagnostic-operation.ts'
import { describeFailure, type OperationRequest, type OperationResponse } from './operation-messages.ts'

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
