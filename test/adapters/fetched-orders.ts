import { HttpError, traceHeaders } from '../../src/index.ts'

/** Answers of the observed application, for adapters that know a `Response`; what `orders` are for node:http. */
export const fetchedOrders: Readonly<Record<string, () => Response | Promise<Response>>> = {
  'GET /orders/:id': () => new Response(ReadableStream.from(pieces())),
  'POST /orders/:id': () => new Response(null, { status: 201 }),
  'GET /hang/:id': () => new Promise(() => {}),
  'GET /endless/:id': () => new Response(new ReadableStream({ start: (to) => to.enqueue(Buffer.from('and so on')) })),
  'GET /fail/:id': () => {
    throw new TypeError('no such thing')
  },
  'GET /trace/:id': async () => {
    await new Promise(setImmediate)
    return Response.json(traceHeaders())
  },
  'GET /unavailable/:id': () => new Response(null, { status: 503 }),
  'GET /conflict/:id': () => {
    throw new HttpError(409, 'The order is shipped.')
  },
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (const piece of ['one\n', 'two\n', 'three\n']) {
    yield Buffer.from(piece)
    await new Promise(setImmediate)
  }
}

/** Sends elsewhere. */
export function moved(): Response {
  return new Response(null, { status: 302, headers: { Location: '/orders/1' } })
}
