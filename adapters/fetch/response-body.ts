import type { ResponseBody } from '../../src/entries/adapter.ts'

/** Returns the body of a response for the constructor of `Response`. Streamed content ends when its reader stops. */
export function toBody(body: ResponseBody): string | Uint8Array | ReadableStream<Uint8Array> | null {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return body
  const content = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    // `@hono/node-server` adds a Content-Length, which HEAD does not have, if the whole content is available at once.
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
