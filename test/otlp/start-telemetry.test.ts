import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createManagement } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { shutdownGracefully } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cert, key } from '../support/localhost-certificate.ts'
import { attributesOf, type Metric } from '../support/otlp/decode.ts'
import { type Reply, startReceiver } from '../support/otlp/receiver.ts'
import { exporters, useTelemetry } from '../support/otlp/telemetry.ts'
import { processTracing, switchTracingOn } from '../support/process-tracing.ts'
import { startHttp } from '../support/start-http.ts'

const named = (metrics: readonly Metric[], wanted: string) => metrics.filter(({ name }) => name === wanted)

describe.each(exporters)('with the exporter %s:', (exporter) => {
  const start = useTelemetry(exporter)

  describe('telemetry', () => {
    it('exports the meters of the registry, with the resource', async () => {
      const { receiver, meters, telemetry, count } = await start({
        resource: { 'deployment.environment.name': 'test' },
      })
      meters.counter('orders.placed', { region: 'eu' }).increment(3)
      await telemetry.flush()
      const [sent, ...more] = receiver.exports
      expect(more).toEqual([])
      expect(sent?.path).toBe('/v1/metrics')
      expect(named(sent?.metrics ?? [], 'orders.placed')).toEqual([
        {
          name: 'orders.placed',
          sum: {
            isMonotonic: true,
            aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE',
            dataPoints: [
              {
                asDouble: 3,
                attributes: [{ key: 'region', value: { stringValue: 'eu' } }],
                startTimeUnixNano: expect.any(Number),
                timeUnixNano: expect.any(Number),
              },
            ],
          },
        },
      ])
      expect(attributesOf(sent?.resource)).toMatchObject({
        'service.name': 'orders',
        'service.version': '1.4.2',
        'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'deployment.environment.name': 'test',
        'telemetry.sdk.language': 'nodejs',
      })
      const points = sent?.metrics.flatMap(({ sum, gauge, histogram }) => [
        ...(sum?.dataPoints ?? []),
        ...(gauge?.dataPoints ?? []),
        ...(histogram?.dataPoints ?? []),
      ])
      expect(count('exported', 'metrics')).toBe(points?.length)
    })

    it("exports spans of the process's tracing", async () => {
      const { receiver, telemetry, count } = await start({ metrics: false })
      const tracing = processTracing()
      const parent = tracing?.startSpan('order', { kind: 'server', attributes: { 'http.route': '/orders' } })
      const child = parent && tracing?.run(parent, () => tracing.startSpan('query', { kind: 'client' }))
      child?.fail(new Error('gone'))
      child?.end()
      parent?.end()
      await telemetry.flush()
      const spans = receiver.exports.flatMap((each) => each.spans)
      expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
        ['query', 'SPAN_KIND_CLIENT'],
        ['order', 'SPAN_KIND_SERVER'],
      ])
      expect(spans[0]).toMatchObject({
        traceId: parent?.context.traceId,
        parentSpanId: parent?.context.spanId,
        status: { code: 'STATUS_CODE_ERROR', message: 'gone' },
      })
      expect(count('exported', 'traces')).toBe(2)
    })

    it('exports metrics at each step', async () => {
      const { receiver, meters } = await start({ tracing: false, metrics: { step: '20ms' } })
      meters.counter('c').increment()
      await receiver.arrived(3)
      for (const { metrics } of receiver.exports) expect(named(metrics, 'c')).toHaveLength(1)
    })

    it('exports to other receivers if only their URLs are set', async () => {
      const traces = await startReceiver()
      const metrics = await startReceiver()
      const {
        receiver,
        telemetry,
        trace: traceSpans,
        meters,
      } = await start({
        tracing: { url: `${traces.url}/in/traces` },
        metrics: { url: `${metrics.url}/in` },
      })
      meters.counter('c').increment()
      traceSpans(2)
      await telemetry.flush()
      expect(traces.exports.map(({ path, spans }) => [path, spans.length])).toEqual([['/in/traces', 2]])
      expect(metrics.exports.map(({ path }) => path)).toEqual(['/in'])
      expect(receiver.exports).toEqual([])
      await telemetry.shutdown()
      await Promise.all([traces.dispose(), metrics.dispose()])
    })

    it('sends headers, and compresses if configured', async () => {
      const {
        receiver,
        telemetry,
        trace: traceSpans,
      } = await start({
        headers: { Authorization: 'Bearer x' },
        tracing: { compression: 'gzip', headers: { 'X-Tenant': 'a' } },
      })
      traceSpans(1)
      await telemetry.flush()
      const [traces] = receiver.exports.filter(({ path }) => path === '/v1/traces')
      expect(traces?.spans).toHaveLength(1)
      expect(traces?.headers).toMatchObject({
        authorization: 'Bearer x',
        'x-tenant': 'a',
        'content-encoding': 'gzip',
        'content-type': 'application/x-protobuf',
        'user-agent': expect.stringMatching(
          exporter === 'upkeep' ? /^upkeep\/\d+\.\d+\.\d+$/ : /^upkeep OTel-OTLP-Exporter-JavaScript/,
        ),
      })
      const [metrics] = receiver.exports.filter(({ path }) => path === '/v1/metrics')
      expect(metrics?.headers).not.toHaveProperty('x-tenant')
      expect(metrics?.headers).not.toHaveProperty('content-encoding')
    })

    it('exports the metrics of sources beside the registry', async () => {
      const id = { name: 'other_total', tags: [], description: undefined, baseUnit: undefined }
      const gauge = { kind: 'gauge', id, value: 4 } as const
      const source = { names: () => [id.name], snapshot: () => [gauge], slices: () => [[gauge]] }
      const management = createManagement({
        application: { name: 'shop' },
        metrics: { sources: [source], runtime: false },
      })
      const { receiver, telemetry } = await start({ management })
      await telemetry.flush()
      expect(receiver.exports.flatMap(({ metrics }) => named(metrics, 'other_total'))).toHaveLength(1)
      expect(attributesOf(receiver.exports[0]?.resource)).toMatchObject({ 'service.name': 'shop' })
      management.close()
    })

    it('repeats failed deltas in the next export', async () => {
      const { receiver, telemetry, meters } = await start({ metrics: { temporality: 'delta' }, tracing: false })
      const counter = meters.counter('c')
      const timer = meters.timer('t', {}, { slo: [1] })
      const replies = [200, 400, 503, 200, 500, 200].map((status) => ({ status, headers: { 'Retry-After': '3600' } }))
      receiver.respondWith(...replies)
      for (let at = 1; at <= replies.length; at += 1) {
        counter.increment(at)
        timer.record(at / 2)
        await telemetry.flush()
      }
      const taken = receiver.exports.filter((each) => each.taken)
      expect(receiver.exports).toHaveLength(6)
      expect(
        taken.flatMap(({ metrics }) => named(metrics, 'c')).map(({ sum }) => sum?.dataPoints[0]?.['asDouble']),
      ).toEqual([1, 2 + 3 + 4, 5 + 6])
      const counts = taken
        .flatMap(({ metrics }) => named(metrics, 't'))
        .map(({ histogram }) => histogram?.dataPoints[0])
      expect(counts.map((point) => point?.['bucketCounts'])).toEqual([
        [1, 0],
        [1, 2],
        [0, 2],
      ])
      expect(taken[0]?.metrics.find(({ name }) => name === 'c')?.sum?.aggregationTemporality).toBe(
        'AGGREGATION_TEMPORALITY_DELTA',
      )
    })

    it('trusts the certificates in a variable', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'upkeep-otlp-'))
      const path = join(folder, 'ca.pem')
      writeFileSync(path, cert)
      vi.stubEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', path)
      const paths: unknown[] = []
      const secure = await startHttp(
        (request, response) => {
          paths.push(request.url)
          request.resume().on('end', () => response.end())
        },
        { key, cert },
      )
      const url = secure.url.replace('127.0.0.1', 'localhost')
      const { telemetry, trace: traceSpans, reported } = await start({ url, metrics: false })
      traceSpans(1)
      await telemetry.shutdown()
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
      await secure.dispose()
      expect(reported).toEqual([])
      expect(paths).toEqual(['/v1/traces'])
    })

    it('rejects a missing certificate file', async () => {
      vi.stubEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', '/nowhere/ca.pem')
      const starting = startTelemetry({ management: { meters: createMeterRegistry() } })
      await expect(starting).rejects.toThrow('cannot read the certificate file "/nowhere/ca.pem"')
      vi.unstubAllEnvs()
    })

    it('sends nothing without data', async () => {
      const management = { meters: createMeterRegistry({ filters: [{ accept: () => 'deny' }] }) }
      const { receiver, telemetry } = await start({ management })
      await telemetry.flush()
      expect(receiver.exports).toEqual([])
    })

    it('sends no unsampled spans', async () => {
      const { receiver, telemetry, trace: traceSpans } = await start({ tracing: { probability: 0 }, metrics: false })
      traceSpans(10)
      const sampled = processTracing()?.startSpan('below a caller that is sampled', {
        parent: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), flags: 1 },
      })
      sampled?.end()
      await telemetry.flush()
      expect(receiver.exports.flatMap(({ spans }) => spans).map(({ name }) => name)).toEqual([
        'below a caller that is sampled',
      ])
    })

    it('sends about the configured share of new traces, started by upkeep or OpenTelemetry', async () => {
      const {
        receiver,
        telemetry,
        trace: traceSpans,
      } = await start({
        tracing: { probability: 0.5, maximumQueueSize: 4_000 },
        metrics: false,
      })
      traceSpans(1_000)
      const tracer = trace.getTracer('the application')
      for (let at = 0; at < 1_000; at += 1) tracer.startSpan('own').end()
      await telemetry.flush()
      const spans = receiver.exports.flatMap((each) => each.spans)
      const own = spans.filter(({ name }) => name === 'own').length
      // Six standard deviations of 1,000 throws of a coin are 95.
      for (const count of [own, spans.length - own]) expect(Math.abs(count - 500)).toBeLessThan(95)
    })
  })

  describe('tracing', () => {
    it('shares one context with OpenTelemetry', async () => {
      await start({ metrics: false })
      const tracing = processTracing()
      const span = tracing?.startSpan('ours')
      if (span === undefined) throw new Error('there is no tracing')
      const seen = await tracing?.run(span, async () => {
        await Promise.resolve()
        return trace.getSpanContext(context.active())?.spanId
      })
      expect(seen).toBe(span.context.spanId)
    })

    it('is suppressed for the requests of the export, and for their retries', async () => {
      const { receiver, telemetry, trace: traceSpans } = await start()
      const suppressed: unknown[] = []
      const listen = () => suppressed.push(processTracing()?.isSuppressed())
      subscribe('http.client.request.start', listen)
      receiver.respondWith(...new Array<Reply>(2).fill({ status: 503, headers: { 'Retry-After': '0' } }))
      const span = processTracing()?.startSpan('around it')
      if (span) await processTracing()?.run(span, () => telemetry.flush())
      traceSpans(1)
      await telemetry.flush()
      unsubscribe('http.client.request.start', listen)
      expect(suppressed.length).toBeGreaterThanOrEqual(4)
      expect(new Set(suppressed)).toEqual(new Set([true]))
    })

    it('is suppressed for the export of metrics if upkeep traces without an SDK', async () => {
      const switchOff = switchTracingOn()
      const { receiver, telemetry, meters } = await start({ tracing: false })
      const suppressed: unknown[] = []
      const listen = () => suppressed.push(processTracing()?.isSuppressed())
      subscribe('http.client.request.start', listen)
      receiver.respondWith({ status: 503, headers: { 'Retry-After': '0' } })
      meters.counter('c').increment()
      await telemetry.flush()
      unsubscribe('http.client.request.start', listen)
      switchOff()
      expect(suppressed).toEqual([true, true])
    })

    it('is off after the shutdown, and can be started again', async () => {
      const first = await start({ metrics: false })
      await first.telemetry.shutdown()
      expect(processTracing()).toBeUndefined()
      const second = await start({ metrics: false })
      second.trace(1)
      await second.telemetry.flush()
      expect(second.receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(1)
      expect(first.receiver.exports).toEqual([])
    })
  })

  describe('an application with an SDK of its own', () => {
    const exporter = new InMemorySpanExporter()
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
    afterEach(() => trace.disable())

    it('keeps its provider, which is used, and works after the shutdown', async () => {
      trace.setGlobalTracerProvider(provider)
      const { receiver, telemetry, meters, trace: traceSpans } = await start()
      meters.counter('c').increment()
      traceSpans(1)
      await telemetry.shutdown()
      trace.getTracer('its own').startSpan('later').end()
      expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['span 0', 'later'])
      expect(receiver.exports.map(({ path }) => path)).toEqual(['/v1/metrics'])
      expect(meters.names().filter((name) => name.startsWith('otlp.'))).not.toContain('otlp.queue.size')
    })
  })

  describe('graceful shutdown', () => {
    it('accepts telemetry as a hook, and waits until all data has arrived', async () => {
      const { receiver, telemetry, trace: traceSpans } = await start()
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { availability } = createManagement({ metrics: { runtime: false } })
      const shutdown = shutdownGracefully(
        server,
        { availability },
        {
          delay: '1ms',
          hooks: [() => traceSpans(2)],
          flush: [telemetry],
          signals: [],
          report: () => {},
          exit: () => {},
        },
      )
      const steps = await shutdown.shutdown()
      expect(steps.at(-1)).toMatchObject({ name: 'telemetry', outcome: 'done' })
      expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(2)
    })
  })

  describe('startTelemetry', () => {
    it('can be called again for the same registry', async () => {
      const meters = createMeterRegistry({ diagnose: ({ message }) => expect.fail(message) })
      const management = { meters }
      for (const signal of ['first', 'second']) {
        const { telemetry, trace: traceSpans } = await start({ management })
        traceSpans(3)
        // Of spans, and of log records.
        const size = [...meters.snapshot('otlp.queue.size')].map((one) => one.kind === 'gauge' && one.value)
        expect(size, signal).toEqual([3, 0])
        await telemetry.shutdown()
      }
      expect(meters.names()).not.toContain('otlp.queue.size')
      expect(meters.counter('otlp.exported', { signal: 'traces' }).value).toBe(6)
    })

    it('rejects if the same metrics are already exported to the same receiver', async () => {
      const meters = createMeterRegistry()
      const { receiver, telemetry } = await start({ management: { meters } })
      const again = { management: { meters }, url: receiver.url }
      await expect(startTelemetry(again)).rejects.toThrow(`these metrics are already exported to ${receiver.url}`)
      const [first, second] = await Promise.allSettled([
        startTelemetry({ ...again, url: `${receiver.url}/other`, tracing: false }),
        startTelemetry({ ...again, url: `${receiver.url}/other`, tracing: false }),
      ])
      expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
      if (first.status === 'fulfilled') await first.value.shutdown()

      await telemetry.shutdown()
      await (await startTelemetry(again)).shutdown()
    })

    it('starts nothing if it rejects', async () => {
      const meters = createMeterRegistry()
      const before = processTracing()
      vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE', '/nowhere/ca.pem')
      await expect(startTelemetry({ management: { meters } })).rejects.toThrow('cannot read the certificate file')
      vi.unstubAllEnvs()
      expect(processTracing()).toBe(before)
      expect(trace.getTracer('any').startSpan('work').isRecording()).toBe(false)
      expect(meters.names()).toEqual([])
    })

    it('rejects with all errors', async () => {
      const nonsense = { management: { meters: createMeterRegistry() }, url: 'nowhere' }
      await expect(startTelemetry(nonsense)).rejects.toThrow(TypeError)
    })
  })
})
