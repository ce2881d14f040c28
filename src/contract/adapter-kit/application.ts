import type { Report } from '../../base/report.ts'
import { nextTurn } from '../../base/timers.ts'
import type { Authorize } from '../../http/authorize.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Availability } from '../../lifecycle/availability.ts'
import type { Loggers } from '../../logging/levels/loggers.ts'
import type { AccessOptions } from '../../management/access.ts'
import type { Endpoint, EndpointId } from '../../management/endpoints/endpoint.ts'
import type { HealthOptions } from '../../management/endpoints/health.ts'
import type { InfoContributor } from '../../management/info/contributor.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { traceHeaders } from '../../tracing/context/carrier.ts'

/** The application of the adapter kit, to be built with the adapter's framework. */
export interface ConformanceApplication {
  /** Options for `createManagement`. */
  readonly options: ConformanceManagementOptions
  /** Path below which to mount `manage`; `''` for the root. */
  readonly prefix: string
  /** Whether a JSON body parser has to precede everything. */
  readonly bodyParser: boolean
  /** The routes: after `observe` and `manage`, and before or inside `handleErrors`. */
  readonly routes: readonly ConformanceRoute[]
  /** Handles requests that match no route: returns a response or throws. Not a route itself. */
  readonly otherwise: (path: string) => RouteAnswer
  /** The `report` option of `handleErrors`, called with each error answered with a 5xx. */
  readonly report: (error: unknown) => void
}

/** The options with which the application under test calls `createManagement`. */
export interface ConformanceManagementOptions {
  readonly application: { readonly name: string; readonly version: string }
  readonly endpoints?: readonly Endpoint[]
  readonly expose: readonly EndpointId[]
  readonly health: HealthOptions
  readonly info: { readonly build: false; readonly git: false; readonly contributors: readonly InfoContributor[] }
  readonly authorize: Authorize
  readonly access?: AccessOptions
  readonly metrics?: { readonly sources: readonly SnapshotSource[] }
  readonly loggers?: Loggers
  readonly tracing?: true
  readonly report?: Report
}

/** A listening application. */
export interface StartedApplication {
  /** Port on 127.0.0.1. */
  readonly port: number
  /** The result of `createManagement`. */
  readonly management: {
    readonly meters: MeterRegistry
    readonly availability: Availability
    close(): void
  }
  /** Stops the server. */
  readonly close: () => unknown
}

export const token = 'let-me-in'

/** A management with every feature, which accepts one bearer token. */
const defaultOptions: ConformanceManagementOptions = {
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: {
    indicators: {
      db: () => ({ status: 'UP', details: { database: 'PostgreSQL 17' } }),
      cache: { indicators: { near: () => 'UP', far: () => ({ status: 'UNKNOWN', details: { miles: 7 } }) } },
    },
    groups: { storage: { include: ['db', 'cache/far'], showDetails: 'always' } },
    showComponents: 'always',
    showDetails: 'when-authorized',
  },
  info: { build: false, git: false, contributors: [() => ({ team: { name: 'Éléonore ☂', size: 3 } })] },
  authorize: ({ headers }) => (headers['authorization'] === `Bearer ${token}` ? { name: 'operator' } : undefined),
}

export function createApplication(
  prefix: string,
  bodyParser: boolean,
  report: (error: unknown) => void,
  options: Partial<ConformanceManagementOptions> = {},
): ConformanceApplication {
  return { options: { ...defaultOptions, ...options }, prefix, bodyParser, routes, otherwise, report }
}

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
    await nextTurn()
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
  await nextTurn()
  return { status: 200, fields: plain, body: JSON.stringify({ ...told, ...traceHeaders() }) }
}

const routes: readonly ConformanceRoute[] = [
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
        await nextTurn()
        throw failure()
      },
      { 'X-Request-Id': 'r-1', ETag: '"stale"', 'Content-Encoding': 'gzip' },
    ),
  ),
]

function otherwise(path: string): RouteAnswer {
  if (path !== '/moved') throw new HttpError(404, 'Resource not found.')
  return { status: 302, fields: { Location: '/orders/1' }, body: '' }
}
