import { invalidOption } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import { whileTracing } from '../tracing/current-tracing.ts'
import { type DatabaseLibrary, timeLibrary, traceLibrary } from './database/database-library.ts'
import { mongoose } from './database/mongoose.ts'
import { mssql } from './database/mssql.ts'
import { mysql2 } from './database/mysql2.ts'
import { ioredis, nodeRedis } from './database/redis.ts'
import { createClientCalls } from './http-client/client-calls.ts'
import { observeNodeHttp } from './http-client/node-http.ts'
import type { HttpClientOptions } from './http-client/outgoing-request.ts'
import { observeUndici } from './http-client/undici.ts'
import type { InstrumentParts, Observation } from './observation.ts'
import { createSafely } from './safely.ts'
import { combineUnsubscribes } from './unsubscribes.ts'

/** Which libraries are instrumented. @default all */
export interface InstrumentOptions {
  /** `fetch` and undici. @default true */
  readonly undici?: boolean | HttpClientOptions | undefined
  /** node:http and node:https, and clients built on them. @default true */
  readonly http?: boolean | HttpClientOptions | undefined
  /** mysql2 ≥ 3.20. @default true */
  readonly mysql2?: boolean | undefined
  /** ioredis ≥ 5.11. @default true */
  readonly ioredis?: boolean | undefined
  /** The package `redis` ≥ 5.12. @default true */
  readonly redis?: boolean | undefined
  /** mongoose ≥ 9.7. @default true */
  readonly mongoose?: boolean | undefined
  /** mssql ≥ 12.4. @default true */
  readonly mssql?: boolean | undefined
}

/** The part of a management that `instrument` needs. */
export interface Instrumented {
  readonly observation: Pick<Observation, 'attach'>
}

const libraries: Readonly<Record<Exclude<keyof InstrumentOptions, 'undici' | 'http'>, DatabaseLibrary>> = {
  mysql2,
  ioredis,
  redis: nodeRedis,
  mongoose,
  mssql,
}

const clients = { undici: observeUndici, http: observeNodeHttp }

const names = ['undici', 'http', 'mysql2', 'ioredis', 'redis', 'mongoose', 'mssql'] as const

/** What others call these options, and what is traced by a function of its own. */
const foreignNames: ForeignNames = {
  fetch: 'undici',
  https: 'http',
  axios: 'http',
  got: 'http',
  mysql: 'mysql2',
  mongodb: 'mongoose',
  tedious: 'mssql',
  pg: 'call tracedPool(pool) of upkeep/instrumentation',
  postgres: 'call tracedPool(pool) of upkeep/instrumentation',
  prisma: 'call tracedPrisma(client) of upkeep/instrumentation',
  amqplib: 'call tracedChannel(channel) of upkeep/instrumentation',
  kafkajs: 'call tracedProducer(producer) and tracedConsumer(consumer) of upkeep/instrumentation',
  nats: 'call tracedNats(connection) of upkeep/instrumentation',
}

/**
 * Instruments libraries through their diagnostics channels: outgoing requests of `fetch`, undici, node:http and
 * node:https, timed in `http.client.requests`, and queries of mysql2, ioredis, node-redis, mongoose and mssql, timed in
 * `db.client.operation.duration`. They are traced while the process is. Returns a function that stops the
 * instrumentation; closing the management does so as well.
 *
 * @throws TypeError naming the invalid option.
 */
export function instrument({ observation }: Instrumented, options: InstrumentOptions = {}): () => void {
  checkOptions(options)
  return observation.attach((parts) => beginAll(options, parts))
}

function beginAll(options: InstrumentOptions, parts: InstrumentParts): () => void {
  const ends: (() => void)[] = []
  for (const [name, library] of Object.entries(libraries)) {
    if (options[name as keyof typeof libraries] === false) continue
    const safely = createSafely(name, parts.report)
    ends.push(timeLibrary(library, { clock: parts.clock, record: parts.recordOperation }, safely))
    if (parts.isTraced) ends.push(whileTracing((tracing) => traceLibrary(library, tracing, safely)))
  }
  for (const [name, observe] of Object.entries(clients)) {
    const option = options[name as keyof typeof clients] ?? true
    if (option === false) continue
    const settings = option === true ? {} : option
    const safely = createSafely(name, parts.report)
    const calls = createClientCalls({ ...settings, ...parts })
    const begin = () => observe(calls, safely)
    ends.push(settings.timed === false ? whileTracing(begin) : begin())
  }
  return combineUnsubscribes(ends)
}

function checkOptions(options: InstrumentOptions): void {
  requireKnownOptions('instrument', options, names, { foreignNames })
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || typeof value === 'boolean') continue
    if (!(name in clients) || typeof value !== 'object' || value === null) {
      const what = name in clients ? 'true, false or { uri, clientName, timed }' : 'true or false'
      throw invalidOption(`instrument: ${name}: expected ${what}`)
    }
    checkClient(name, value)
  }
}

function checkClient(name: string, settings: HttpClientOptions): void {
  requireKnownOptions('instrument', settings, ['uri', 'clientName', 'timed'], {
    path: [name],
    foreignNames: { url: 'uri', route: 'uri', template: 'uri', name: 'clientName', metrics: 'timed' },
  })
  for (const [key, value] of Object.entries(settings)) {
    const expected = key === 'timed' ? 'boolean' : 'function'
    if (value !== undefined && typeof value !== expected)
      throw invalidOption(`instrument: ${name}.${key}: expected a ${expected}`)
  }
}
