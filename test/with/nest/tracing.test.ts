import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Meters, UpkeepModule } from 'upkeep/nest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startReceiver } from '../../support/otlp/receiver.ts'
import { documentedTelemetry } from './application/documented-telemetry.ts'
import { moduleOf } from './application/parts.ts'
import { platforms } from './application/start.ts'
import {
  LedgerController,
  RequestLedger,
  SeeingGuard,
  SeeingInterceptor,
  seen,
  YearLedger,
} from './application/traced.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'

describe.each(platforms)('tracing on %s', (platform) => {
  it('continues in guards, interceptors, handlers and decorated methods, and is sent at the end', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.dispose())
    const TelemetryService = await documentedTelemetry(receiver.url)
    const providers = [SeeingGuard, SeeingInterceptor, YearLedger, RequestLedger, TelemetryService]
    const module = moduleOf([UpkeepModule.forRoot({ report: () => {} })], providers, [LedgerController])
    const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter()
    const app = await NestFactory.create(module, adapter, { logger: false, abortOnError: false })
    await app.listen(0, '127.0.0.1')
    const response = await fetch(`${await app.getUrl()}/ledgers/7`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${trace}-b7ad6b7169203331-01` },
      body: '{"year":2026}',
    })
    expect(await response.json()).toEqual({ id: '7', body: { year: 2026 }, pages: [1, 2] })
    const parts = ['guard', 'interceptor', 'handler', 'method', 'generator', 'response']
    expect(seen).toEqual(Object.fromEntries(parts.map((part) => [part, trace])))

    const meters = app.get(Meters)
    const written = (result: string, exception: string) =>
      meters.counter('method.counted', { class: 'YearLedger', method: 'write', result, exception }).value
    expect([written('success', 'none'), written('failure', 'RangeError')]).toEqual([1, 1])
    const timed = (owner: string) =>
      meters.timer('method.timed', { class: owner, method: 'entry', exception: 'none' }).count
    expect([timed('YearLedger'), timed('RequestLedger')]).toEqual([1, 1])

    await app.close()
    const spans = receiver.exports.flatMap((each) => each.spans).filter(({ traceId }) => traceId === trace)
    const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name
    expect(Object.fromEntries(spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]))).toEqual({
      'POST /ledgers/:id': undefined,
      'LedgerController.close': 'POST /ledgers/:id',
      'YearLedger.close': 'LedgerController.close',
      'YearLedger.entry': 'YearLedger.close',
      'RequestLedger.entry': 'LedgerController.close',
      pages: 'LedgerController.close',
    })
    const metrics = receiver.exports.flatMap((each) => each.metrics).map(({ name }) => name)
    expect(metrics).toContain('http.server.requests')
  })
})
