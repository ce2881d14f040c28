import { afterEach, describe, expect, it } from 'vitest'
import { createMeterRegistry } from '../../src/metrics/registry.ts'
import { startTelemetry, type Telemetry } from '../../src/telemetry/start-telemetry.ts'
import type { TelemetryOptions } from '../../src/telemetry/settings/telemetry-options.ts'
import { currentTracing } from '../../src/tracing/current-tracing.ts'
import { attributesOf, type KeyValue } from '../support/otlp/decode.ts'
import { type OtlpReceiver, startReceiver } from '../support/otlp/receiver.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function setUp(options: Partial<TelemetryOptions> = {}) {
  const receiver: OtlpReceiver = await startReceiver()
  ends.push(receiver.dispose)
  const meters = createMeterRegistry()
  const told: string[] = []
  const telemetry: Telemetry = await startTelemetry({
    management: { meters, application: { name: 'orders', version: '1.4.2' } },
    url: receiver.url,
    timeout: '2s',
    report: (message) => told.push(message),
    ...options,
  })
  ends.push(() => telemetry.shutdown())
  const count = (name: string, signal: string) => meters.counter(`otlp.${name}`, { signal }).value
  return { receiver, meters, told, telemetry, count }
}

describe('startTelemetry', () => {
  it('sends the meters of the registry, with the resource', async () => {
    const { receiver, meters, telemetry } = await setUp({ resource: { 'deployment.environment.name': 'test' } })
    meters.counter('orders.placed', { region: 'eu' }).increment(3)
    await telemetry.flush()
    const [sent] = receiver.exports.filter(({ path }) => path === '/v1/metrics')
    expect(sent?.metrics.find(({ name }) => name === 'orders.placed')).toMatchObject({
      sum: {
        isMonotonic: true,
        aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE',
        dataPoints: [{ asDouble: 3, attributes: [{ key: 'region', value: { stringValue: 'eu' } }] }],
      },
    })
    expect(attributesOf(sent?.resource as readonly KeyValue[])).toMatchObject({
      'service.name': 'orders',
      'service.version': '1.4.2',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'deployment.environment.name': 'test',
      'telemetry.sdk.language': 'nodejs',
    })
  })

  it('sends spans of the tracing of the process', async () => {
    const { receiver, telemetry, count } = await setUp({ metrics: false })
    const tracing = currentTracing()
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
    expect(spans[0]).toMatchObject({ traceId: parent?.context.traceId, parentSpanId: parent?.context.spanId })
    expect(count('exported', 'traces')).toBe(2)
  })
})
