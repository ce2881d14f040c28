import type { RequestListener } from 'node:http'
import { context } from '@opentelemetry/api'
import { defaultResource } from '@opentelemetry/resources'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, describe } from 'vitest'
import { createManagement, type Management } from '../../src/index.ts'
import { createContextManager } from '../../src/tracing/context-manager.ts'
import { createOpenTelemetryTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'
import { createTraceSampler } from '../../src/tracing/sampler.ts'
import { tracingOverHttp } from '../conformance/tracing-over-http.ts'
import { keepEnded } from '../support/ended-spans.ts'
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

context.setGlobalContextManager(createContextManager())

describe.each([
  ["spans of upkeep's", true],
  ['spans of an SDK', false],
])('%s', (_, areOurs) => {
  const { ended, processor } = keepEnded()
  const resource = defaultResource()
  const provider = new TracerProvider({ resource, sampler: createTraceSampler(1), spanProcessors: [processor] })
  let uninstall: () => void
  beforeAll(() => {
    const tracer = provider.getTracer('upkeep')
    uninstall = installTracing(
      createOpenTelemetryTracing(areOurs ? { tracer, recorder: { processor, resource } } : { tracer }),
    )
  })
  afterAll(() => uninstall())

  describe.each(adapters)('of %s', (_, createApp) => {
    const management = createManagement({ metrics: { runtime: false } })
    let listening: Listening
    beforeAll(async () => {
      listening = await listen(createApp(management))
    })
    afterAll(async () => {
      await listening.close()
      management.close()
    })

    tracingOverHttp(() => ({ port: listening.port, ended }))
  })
})
