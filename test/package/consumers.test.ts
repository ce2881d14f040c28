import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../support/package/consumer.ts'
import { execute, repository, unpackPackage } from '../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const core = `
import { createManagement, HttpError, type Indicator } from 'upkeep'
import { type ManagementResponse } from 'upkeep/adapter'
export const db: Indicator = async () => ({ status: 'UP', details: { rows: 1 } })
export const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  health: { indicators: { db } },
})
export const answer: Promise<ManagementResponse | undefined> = Promise.resolve(
  management({
    method: 'GET',
    target: '/management/health',
    headers: {},
    base: '',
    body: () => ({ kind: 'parsed', value: 1 }),
  }),
)
export const missing: Error = new HttpError(404, 'There is no such order.')
// @ts-expect-error a name is text
createManagement({ application: { name: 1 } })
// @ts-expect-error there is no such option
createManagement({ application: { name: 'orders' }, healthy: true })
// @ts-expect-error a status is a number
new HttpError('404', 'There is no such order.')
`

const node = `${core}
import { createServer } from 'node:http'
import { manage } from 'upkeep/node'
export const server = createServer(manage(management))
import { adapterConformance, contract, type ContractCase } from 'upkeep/contract'
export const cases: readonly ContractCase[] = contract({ baseUrl: 'http://127.0.0.1', only: ['health'] })
export const kit = adapterConformance({
  start: ({ options }) => ({ port: 1, management: createManagement(options), close: () => undefined }),
})
// @ts-expect-error an address is text
contract({ baseUrl: 1 })
// @ts-expect-error a management is no text
manage('management')
`

const rest = `${node}
import { z } from 'zod'
import { serve } from 'upkeep/node'
import { collection, created, createResources, pathTo, representation } from 'upkeep/rest'
const order = representation('order', z.object({ id: z.string(), quantity: z.int() }))
export const resources = createResources({
  description: { title: 'Orders', version: '1', management },
  resources: [
    collection('orders/{order}', {
      representation: order,
      filters: z.object({ least: z.coerce.number().optional() }),
      list: ({ filters }) => ({ items: [{ id: 'a', quantity: filters.least ?? 1 }] }),
      create: ({ body }) => created(pathTo('orders/{order}', { order: body.id }), body),
      read: ({ variables }) => ({ id: variables.order, quantity: 1 }),
      // @ts-expect-error there is no such variable
      remove: ({ variables }) => void variables.other,
    }),
  ],
})
export const orders = createServer(serve(resources))
// @ts-expect-error a variable is missing
pathTo('orders/{order}', {})
`

const express = `${node}
import express from 'express'
import { handleErrors, manage as manageExpress } from 'upkeep/express'
export const app = express()
app.use(manageExpress(management))
app.use('/ops', manageExpress(management))
app.use(handleErrors())
// @ts-expect-error a management is no text
manageExpress('management')
// @ts-expect-error express takes no text for middleware either: its types are here
app.use(1)
`

const koa = `${node}
import Koa from 'koa'
import { handleErrors, manage as manageKoa } from 'upkeep/koa'
export const app = new Koa()
app.use(handleErrors())
app.use(manageKoa(management))
// @ts-expect-error a management is no text
manageKoa('management')
// @ts-expect-error koa takes no text for middleware either: its types are here
app.use('text')
`

const fetch = `${core}
import { handleErrors, manage as manageFetch, observe } from 'upkeep/fetch'
const [managed, observed] = [manageFetch(management), observe(management, { route: ({ url }) => url && '/orders' })]
export const handle: (request: Request) => Promise<Response> = handleErrors((request: Request) =>
  observed(request, () => managed(request) ?? new Response('[]')),
)
// @ts-expect-error a management is no text
manageFetch('management')
`

const fastify = `${core}
import Fastify from 'fastify'
import { handleErrors, manage as manageFastify, observe } from 'upkeep/fastify'
export const app = Fastify({ frameworkErrors: handleErrors() })
app.setErrorHandler(handleErrors())
app.register(observe(management))
app.register(manageFastify(management), { prefix: '/ops' })
// @ts-expect-error fastify takes no number for a plugin either: its types are here
app.register(1)
// @ts-expect-error a management is no text
manageFastify('management')
`

const hono = `${core}
import { Hono } from 'hono'
import { handleErrors, manage as manageHono, observe } from 'upkeep/hono'
export const app = new Hono<{ Variables: { user: string } }>().onError(handleErrors())
app.use(observe(management))
app.use('/management/*', manageHono(management))
app.get('/orders', (context) => context.json([context.var.user]))
// @ts-expect-error a management is no text
manageHono('management')
// @ts-expect-error hono takes no text for middleware either: its types are here
app.use(1)
`

const loggers = `${node}
import { createLogger } from 'upkeep/logging'
import { poolMeters } from 'upkeep/instrumentation'
import { pino } from 'pino'
import { pinoLoggers, pinoOptions, plainText } from 'upkeep/pino'
import * as winston from 'winston'
import { logRecord, plainText as plainTextFormat, winstonLoggers } from 'upkeep/winston'
const application = { name: 'orders' }
export const logger = pino(pinoOptions({ application }, { level: 'debug', customLevels: { notice: 35 } }), plainText())
logger.notice({ orderId: 7 }, 'placed')
createManagement({ loggers: pinoLoggers(logger), expose: ['loggers'] })
const { combine, json } = winston.format
export const other = winston.createLogger({ format: combine(logRecord({ application }), json(), plainTextFormat()) })
createManagement({ loggers: winstonLoggers(other, winston.loggers) })
const small = createLogger({ application, level: 'DEBUG' })
createManagement({ loggers: small.loggers, report: small.error })
// @ts-expect-error an application has a name
pinoOptions({ application: {} })
// @ts-expect-error there is no such level of this logger
logger.nothing('placed')
// @ts-expect-error that is no pool
poolMeters(management.meters, 'orders', 'pool')
`

const otlp = `${core}
import { PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics'
import { createMetricProducer, startTelemetry, type Telemetry } from 'upkeep/otlp'
import { shutdownGracefully } from 'upkeep/node'
import { createServer } from 'node:http'
export const telemetry: Promise<Telemetry> = startTelemetry({
  management,
  tracing: { url: 'http://localhost:4318/v1/traces', probability: 0.1 },
  metrics: { url: 'http://localhost:4318/v1/metrics', step: '30s', temporality: 'delta' },
  headers: { Authorization: 'Bearer x' },
  resource: { zone: 'a', canary: true },
})
export const shutdown = telemetry.then((each) => shutdownGracefully(createServer(), management, { flush: [each] }))
declare const exporter: PushMetricExporter
new PeriodicExportingMetricReader({ exporter, metricProducers: [createMetricProducer(management.measurements)] })
// @ts-expect-error a step is a duration
startTelemetry({ management, metrics: { step: 30 } })
// @ts-expect-error there is no such temporality
startTelemetry({ management, metrics: { temporality: 'both' } })
// @ts-expect-error a management is no text
startTelemetry({ management: 'management' })
`

/** What the types of `upkeep/otlp` ask for, and their peers. */
const openTelemetry = ['api', 'sdk-metrics'].map((name) => `@opentelemetry/${name}`)

type Programs = Readonly<Record<string, string>>
type Resolution = 'node16' | 'nodenext'

/** What TypeScript says of a strict project of these programs, each as an ES module and as CommonJS. */
function complaints(programs: Programs, resolution: Resolution, packages: readonly string[]): string {
  const folder = createConsumer(packed, ['@types/node', ...packages])
  const files = Object.entries(programs).flatMap(([name, source]) => {
    const own = [`${name}.mts`, `${name}.cts`]
    for (const file of own) writeFileSync(join(folder, file), source)
    return own
  })
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    esModuleInterop: true,
    skipLibCheck: false,
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    module: resolution,
    moduleResolution: resolution,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  try {
    return execute(folder, process.execPath, join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.')
  } catch (error) {
    return String(error)
  }
}

/** Milliseconds. */
const compilation = 300_000

describe('a strict TypeScript consumer', () => {
  // Most of the time goes to the declarations of Node and of TypeScript itself, so that programs are checked at once.
  it(
    'type-checks with every declaration, with upkeep alone, in node16',
    () => {
      expect(complaints({ node, fetch }, 'node16', [])).toBe('')
    },
    compilation,
  )

  it.each<readonly [Resolution, Programs, readonly string[]]>([
    ['node16', { hono, koa, loggers }, ['hono', 'koa', '@types/koa', 'pino', 'winston']],
    ['nodenext', { rest, express, fastify, otlp }, ['zod', 'express', '@types/express', 'fastify', ...openTelemetry]],
  ])(
    'type-checks with every declaration, beside the packages that it is used with, in %s',
    (resolution, programs, packages) => {
      expect(complaints(programs, resolution, packages)).toBe('')
    },
    compilation,
  )
})
