import { HttpError } from '../../http/errors/http-error.ts'
import { traceHeaders } from '../../tracing/context/carrier.ts'

/** A route of the application. */
export interface ConformanceRoute {
  /** A route for GET also handles HEAD, in the way of the framework. */
  readonly method: 'GET' | 'POST'
  /** With parameters as in `/orders/:id`. */
  readonly path: string
  /** Header fields to set on the response before `answer` is called. */
  readonly fields: Readonly<Record<string, string>>
  /** Returns the response; rejects for `handleErrors`, and may never resolve. `readBody` returns the request's body. */
  readonly answer: (readBody: () => Promise<string>) => Promise<RouteAnswer>
}

/** The response that a route of the application under test sends. */
export interface RouteAnswer {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  /** An iterable has to be streamed. */
  readonly body: string | AsyncIterable<string>
}

/** The thrown value, by the last segment of the path. */
const failures: Readonly<Record<string, () => unknown>> = {
  secret: () => new Error('password=hunter2'),
  type: () => new TypeError('no such thing'),
  text: () => 'password=hunter2',
  conflict: () => new HttpError(409, 'The order is shipped.', { headers: { 'Retry-After': '7' } }),
  unavailable: () => new HttpError(503, 'Try later.', { cause: new Error('password=hunter2') }),
  // Errors of body parsers and frameworks: a status, and whether the message is for the client.
  exposed: () => Object.assign(new Error('The size is wrong.'), { status: 422, expose: true }),
  hidden: () => Object.assign(new Error('password=hunter2'), { status: 403, expose: false }),
  pretended: () => Object.assign(new Error('password=hunter2'), { status: 200 }),
}

const plain = { 'Content-Type': 'text/plain' }

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) {
    await new Promise((resolve) => setImmediate(resolve))
    yield text
  }
}

async function* endless(): AsyncGenerator<string> {
  yield 'and so on'
  await new Promise(() => undefined)
}

function route(
  method: 'GET' | 'POST',
  path: string,
  answer: ConformanceRoute['answer'],
  fields = {},
): ConformanceRoute {
  return { method, path, fields, answer }
}

/** Returns the trace context that a route would propagate. */
async function answerTrace(told: Readonly<Record<string, string>>): Promise<RouteAnswer> {
  await new Promise((resolve) => setImmediate(resolve))
  return { status: 200, fields: plain, body: JSON.stringify({ ...told, ...traceHeaders() }) }
}

export const routes: readonly ConformanceRoute[] = [
  route('GET', '/orders/:id', async () => ({ status: 200, fields: plain, body: pieces('one\n', 'two\n', 'three\n') })),
  route('POST', '/orders/:id', async () => ({ status: 201, fields: plain, body: 'made' })),
  route('GET', '/hang/:id', () => new Promise(() => undefined)),
  route('GET', '/endless/:id', async () => ({ status: 200, fields: plain, body: endless() })),
  route('GET', '/trace/:id', () => answerTrace({})),
  route('POST', '/trace/:id', async (readBody) => answerTrace({ body: await readBody() })),
  route('POST', '/echo', async (readBody) => ({ status: 200, fields: plain, body: await readBody() })),
  ...Object.entries(failures).map(([name, failure]) =>
    route(
      'GET',
      `/fail/${name}`,
      async () => {
        await new Promise((resolve) => setImmediate(resolve))
        throw failure()
      },
      { 'X-Request-Id': 'r-1', ETag: '"stale"', 'Content-Encoding': 'gzip' },
    ),
  ),
]

export function otherwise(path: string): RouteAnswer {
  if (path !== '/moved') throw new HttpError(404, 'Resource not found.')
  return { status: 302, fields: { Location: '/orders/1' }, body: '' }
}
