import { keepPoolCallers, observePostgresClients } from '../../../instrumentation/database/traced-postgres.ts'
import type { LoadedModules } from '../loaded-modules.ts'
import type { Library } from './library.ts'

/** Frameworks that the traps do not find. */
const frameworks: readonly Library[] = [
  { name: 'nestjs', packageName: '@nestjs/core', observed: 'everywhere' },
  { name: 'express', observed: 'everywhere', mark: ['app.use() requires ', 'a middleware function'] },
  {
    ...{ name: 'hapi', packageName: '@hapi/hapi', observed: 'outside of bundles' },
    mark: ['Cannot start server before ', 'plugins finished registration'],
  },
]

/** Clients, and whether they have diagnostics channels. */
const clients: readonly Library[] = [
  { name: 'mysql2', observed: 'everywhere', from: '3.20' },
  { name: 'ioredis', observed: 'everywhere', from: '5.11' },
  { name: 'redis', packageName: '@redis/client', observed: 'everywhere', from: '5.12' },
  { name: 'mongoose', observed: 'everywhere', from: '9.7', mark: ['Mongoose', 'ServerSelectionError'] },
  { name: 'mssql', observed: 'everywhere', from: '12.4' },
  {
    ...{ name: 'pg', observed: 'outside of bundles', observe: observePostgres },
    mark: ['Client has encountered a connection error and ', 'is not queryable'],
  },
  { name: 'amqplib', observed: 'nowhere', mark: ['Channel ended, no reply ', 'will be forthcoming'] },
  { name: 'bullmq', observed: 'nowhere', mark: ['BullMQ: ', 'unknown command'] },
  { name: 'kafkajs', observed: 'nowhere', mark: ['KafkaJS', 'NumberOfRetriesExceeded'] },
  { name: 'mongodb', observed: 'nowhere', mark: ['Mongo', 'ServerSelectionError'], below: 'mongoose' },
  { name: 'nats', observed: 'nowhere', mark: ['Nats', 'Error'] },
  { name: 'postgres', observed: 'nowhere', mark: ['Query not called as ', 'a tagged template literal'] },
  { name: '@prisma/client', observed: 'nowhere', mark: ['@prisma/client did not ', 'initialize yet'] },
]

const loggers: readonly Library[] = [
  { name: 'pino', observed: 'everywhere', from: '9.10', mark: ['tracingChannel("pino_', 'asJson")'] },
  { name: 'winston', observed: 'outside of bundles', mark: ['[winston] Attempt to write ', 'logs with no transports'] },
]

/** Returns the libraries that are named at start; loggers only if their records get the ids of traces. */
export function namedLibraries({ logTraceIds }: { readonly logTraceIds: boolean }): readonly Library[] {
  return [...frameworks, ...clients, ...(logTraceIds ? loggers : [])]
}

function observePostgres(modules: LoadedModules): void {
  for (const exported of modules.exportsOf('pg/lib/client.js')) if (isClass(exported)) observePostgresClients(exported)
  for (const exported of modules.exportsOf('pg-pool/index.js')) if (isClass(exported)) keepPoolCallers(exported)
}

function isClass(value: unknown): value is { readonly prototype: object } {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null
}
