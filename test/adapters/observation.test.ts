import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe } from 'vitest'
import { createManagement, type Management } from '../../src/index.ts'
import { observationOverHttp } from '../conformance/observation-over-http.ts'
import { type Listening, listen } from '../support/listen.ts'
import { observedExpress } from './observed-express.ts'
import { observedFastify } from './observed-fastify.ts'
import { observedFetch } from './observed-fetch.ts'
import { observedHono } from './observed-hono.ts'
import { observedKoa } from './observed-koa.ts'
import { observedNode } from './observed-node.ts'

const adapters: readonly (readonly [string, (management: Management) => RequestListener])[] = [
  ['Express 5', observedExpress('Express 5')],
  ['Express 4', observedExpress('Express 4')],
  ['Koa 3', observedKoa('Koa 3')],
  ['Koa 2', observedKoa('Koa 2')],
  ['node:http', observedNode],
  ['Fastify', observedFastify],
  ['Hono', observedHono],
  ['fetch', observedFetch],
]

describe.each(adapters)('observe of %s', (name, createApp) => {
  const management = createManagement({ expose: ['health', 'metrics'], metrics: { runtime: false } })
  let listening: Listening
  beforeAll(async () => {
    listening = await listen(createApp(management))
  })
  afterAll(() => listening.close())

  // Whether a `Response` that waits for its turn was sent, only its server knows.
  const knowsSending = name !== 'Hono' && name !== 'fetch'
  observationOverHttp(() => ({ port: listening.port, management }), { knowsSending })
})
