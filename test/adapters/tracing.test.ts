import { request } from 'node:http'
import { context, trace } from '@opentelemetry/api'
import { defaultResource } from '@opentelemetry/resources'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import type { ConformanceApplication, ConformanceRoute, StartedApplication } from 'upkeep/contract'
import { parseTraceparent } from 'upkeep/ids'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApplication } from '../../src/contract/adapter-kit/application.ts'
import { createContextManager } from '../../src/tracing/context/context-manager.ts'
import { createNativeTracing, createTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'
import { collectEndedSpans, type TracedRequest } from '../support/ended-spans.ts'
import { createRawClient } from '../support/raw-client.ts'
import { frameworks } from './frameworks/all.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const called = `00-${traceId}-${spanId}-03`

interface TracedSubject {
  readonly port: number
  readonly ended: TracedRequest[]
}

function itTraces(subject: () => TracedSubject): void {
  const send = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    createRawClient(subject().port)({ target, headers, method })
  const spans = async (count: number) => {
    await expect.poll(() => subject().ended.length).toBe(count)
    return subject().ended
  }
  beforeEach(() => {
    subject().ended.length = 0
  })

  describe('a request', () => {
    it('has a server span named by its template', async () => {
      await send('/orders/17?key=secret', { 'User-Agent': 'test/1' })
      const [span] = await spans(1)
      expect(span).toMatchObject({ name: 'GET /orders/:id', kind: 1, parentSpanId: undefined, status: { code: 0 } })
      expect(span?.attributes).toEqual({
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'http.route': '/orders/:id',
        'server.address': '127.0.0.1',
        'server.port': subject().port,
        'url.path': '/orders/17',
        'url.scheme': 'http',
        'user_agent.original': 'test/1',
      })
    })

    it('continues the trace of its caller, whose span is its parent', async () => {
      const { body } = await send('/trace/1', { TraceParent: called, Tracestate: 'foo=1,  bar=2' })
      const [span] = await spans(1)
      expect(span).toMatchObject({ traceId, parentSpanId: spanId })
      expect(JSON.parse(body)).toEqual({
        traceparent: `00-${traceId}-${span?.spanId}-03`,
        tracestate: 'foo=1,bar=2',
      })
    })

    it('starts a trace without a valid trace context', async () => {
      const first = JSON.parse((await send('/trace/2')).body)
      const second = JSON.parse((await send('/trace/3', { traceparent: `${called}-more`, tracestate: 'foo=1' })).body)
      const ended = await spans(2)
      expect(parseTraceparent(first.traceparent)).toMatchObject({ traceId: ended[0]?.traceId })
      expect(parseTraceparent(second.traceparent)).toMatchObject({
        traceId: ended[1]?.traceId,
        spanId: ended[1]?.spanId,
      })
      expect(second).not.toHaveProperty('tracestate')
      expect(new Set([traceId, ...ended.map((span) => span.traceId)]).size).toBe(3)
    })

    it('of an unsampled trace has ids but no span', async () => {
      const { body } = await send('/trace/4', { traceparent: `00-${traceId}-${spanId}-00` })
      expect(parseTraceparent(JSON.parse(body).traceparent)).toMatchObject({ traceId, flags: 0 })
      expect(JSON.parse(body).traceparent).not.toContain(spanId)
      await send('/orders/5')
      await spans(1)
    })

    it.each([
      ['that fails', '/fail/type', '/fail/type', 500, 2, 'TypeError'],
      ['that cannot be answered now', '/busy/7', '/busy/:id', 503, 2, '503'],
      ['that is refused', '/fail/conflict', '/fail/conflict', 409, 0, undefined],
    ])('%s records the outcome', async (_, target, route, status, code, type) => {
      await send(target)
      const [span] = await spans(1)
      expect(span).toMatchObject({ name: `GET ${route}`, status: { code } })
      expect(span?.attributes).toMatchObject({ 'http.response.status_code': status })
      expect(span?.attributes['error.type']).toBe(type)
    })

    it('that throws has its error recorded as an event', async () => {
      await send('/fail/type')
      const [span] = await spans(1)
      expect(span?.events).toMatchObject([
        { name: 'exception', attributes: { 'exception.type': 'TypeError', 'exception.message': 'no such thing' } },
      ])
      expect(span?.status).toEqual({ code: 2, message: 'no such thing' })
    })

    it('has the trace id in its error document', async () => {
      const { body } = await send('/fail/type')
      const [span] = await spans(1)
      expect(JSON.parse(body)).toMatchObject({ status: 500, trace_id: span?.traceId })
    })

    it('that the client aborts is marked', async () => {
      const client = request({ port: subject().port, host: '127.0.0.1', path: '/endless/11' })
      client.on('error', () => {})
      client.end()
      await new Promise((resolve) =>
        client.on('response', (response) => response.on('error', () => {}).once('data', resolve)),
      )
      client.destroy()
      const [span] = await spans(1)
      expect(span).toMatchObject({ name: 'GET /endless/:id', status: { code: 0 } })
      expect(span?.attributes).toMatchObject({ 'error.type': 'aborted', 'http.response.status_code': 200 })
    })

    it('without a route is named by its method alone, or HTTP for an unknown method', async () => {
      await send('/nowhere', {}, 'PROPFIND')
      const [span] = await spans(1)
      expect(span?.name).toBe('HTTP')
      expect(span?.attributes).toMatchObject({
        'http.request.method': '_OTHER',
        'http.request.method_original': 'PROPFIND',
      })
      expect(span?.attributes).not.toHaveProperty('http.route')
    })

    it('to the management is not traced', async () => {
      expect(await send('/management/health', { traceparent: called })).toMatchObject({ status: 200 })
      expect(await send('/management/nothing')).toMatchObject({ status: 404 })
      await send('/orders/12')
      expect((await spans(1)).map(({ name }) => name)).toEqual(['GET /orders/:id'])
    })

    it('stays in its trace among hundreds of others', async () => {
      const traces = Array.from({ length: 300 }, (_, n) => n.toString(16).padStart(32, 'a'))
      const responses = await Promise.all(
        traces.map((trace) => send('/trace/13', { traceparent: `00-${trace}-${spanId}-01` })),
      )
      expect(responses.map(({ body }) => parseTraceparent(JSON.parse(body).traceparent)?.traceId)).toEqual(traces)
      await spans(300)
    })
  })
}

const busy: ConformanceRoute = {
  method: 'GET',
  path: '/busy/:id',
  fields: {},
  answer: async () => ({ status: 503, fields: {}, body: '' }),
}

/** The application of the kit, with a route that responds with 503 itself. */
const application: ConformanceApplication = createApplication('', false, () => undefined)
const traced = { ...application, routes: [...application.routes, busy] }

context.setGlobalContextManager(createContextManager())

const { ended, processor } = collectEndedSpans()
const resource = defaultResource()

/** Each enables tracing, and returns the function that disables it. */
const tracings: readonly (readonly [string, () => () => void])[] = [
  ['native spans', () => installTracing(createNativeTracing({ recorder: { processor, resource } }))],
  [
    "spans of the application's SDK",
    () => {
      trace.setGlobalTracerProvider(new TracerProvider({ resource, spanProcessors: [processor] }))
      const uninstall = installTracing(createTracing())
      return () => {
        uninstall()
        trace.disable()
      }
    },
  ],
]

describe.each(tracings)('%s', (_, install) => {
  let uninstall: () => void
  beforeAll(() => {
    uninstall = install()
  })
  afterAll(() => uninstall())

  for (const { name, start } of frameworks) {
    describe(`of ${name}`, () => {
      let started: StartedApplication
      beforeAll(async () => {
        started = await start(traced)
      })
      afterAll(async () => {
        await started.close()
        started.management.close()
      })

      itTraces(() => ({ port: started.port, ended }))
    })
  }
})
