import type { ResponseBody } from '../../src/entries/adapter.ts'

/** The body of an answer as the constructor of `Response` takes it; who stops to read it ends the making of what streams. */
export function toBody(body: ResponseBody): string | Uint8Array | ReadableStream<Uint8Array> | null {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return body
  const content = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    // A server that gets all of it at once, as `@hono/node-server`, states its length: a field that HEAD does not have.
    start: () => new Promise((resolve) => setImmediate(resolve)),
    async pull(controller) {
      const { done, value } = await content.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await content.return?.()
    },
  })
}
