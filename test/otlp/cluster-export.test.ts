import { createManagement } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { startTelemetry, type TelemetryOptions } from 'upkeep/otlp'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { attributesOf } from '../support/otlp/decode.ts'
import { startReceiver } from '../support/otlp/receiver.ts'

/** The values of the group, and who may export them. */
function createGroup() {
  const measurements = createMeterRegistry()
  measurements.counter('orders').increment(111)
  let first = 0
  const clusterOf = (slot: number) => ({ measurements, id: 'group-1', slot, isFirst: () => first === slot })
  const setFirst = (slot: number) => {
    first = slot
  }
  return { measurements, clusterOf, setFirst }
}

async function startMember(options: Partial<TelemetryOptions>, reports: string[] = []) {
  const management = createManagement({
    application: { name: 'orders' },
    report: (message) => void reports.push(message),
  })
  management.meters.counter('own').increment()
  const telemetry = await startTelemetry({ management, tracing: false, logs: false, ...options })
  onTestFinished(async () => {
    await telemetry.shutdown()
    management.close()
  })
  return telemetry
}

describe.each(['upkeep', 'opentelemetry'] as const)('the metrics of a cluster, with the exporter %s,', (exporter) => {
  it('are exported by its first member, as one, with the identifier of the group', async () => {
    const [receiver, group] = [await startReceiver(), createGroup()]
    onTestFinished(receiver.dispose)
    const start = (slot: number) => startMember({ exporter, url: receiver.url, cluster: group.clusterOf(slot) })
    const [first, second] = [await start(0), await start(1)]
    await second.flush()
    await first.flush()
    await second.flush()
    expect(receiver.exports).toHaveLength(1)
    expect(receiver.exports[0]?.metrics).toMatchObject([{ name: 'orders', sum: { dataPoints: [{ asDouble: 111 }] } }])
    expect(attributesOf(receiver.exports[0]?.resource)).toMatchObject({
      'service.name': 'orders',
      'service.instance.id': 'group-1',
    })
  })

  it('are exported by the next member when the first one has ended, also at its shutdown', async () => {
    const [receiver, group] = [await startReceiver(), createGroup()]
    onTestFinished(receiver.dispose)
    const second = await startMember({ exporter, url: receiver.url, cluster: group.clusterOf(1) })
    await second.flush()
    expect(receiver.exports).toEqual([])
    group.setFirst(1)
    group.measurements.counter('orders').increment()
    await second.shutdown()
    expect(receiver.exports).toHaveLength(1)
    expect(receiver.exports[0]?.metrics).toMatchObject([{ sum: { dataPoints: [{ asDouble: 112 }] } }])
  })

  describe('after a change of the first member', () => {
    beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
    afterEach(() => vi.useRealTimers())

    it('are exported within seconds, without waiting for the step', async () => {
      const [receiver, group] = [await startReceiver(), createGroup()]
      onTestFinished(receiver.dispose)
      await startMember({ exporter, url: receiver.url, metrics: { step: '1h' }, cluster: group.clusterOf(1) })
      vi.advanceTimersByTime(60_000)
      expect(receiver.exports).toEqual([])
      group.setFirst(1)
      vi.advanceTimersByTime(2_000)
      await receiver.arrived(1)
      vi.advanceTimersByTime(60_000)
      group.setFirst(0)
      vi.advanceTimersByTime(60_000)
      expect(receiver.exports).toHaveLength(1)
    })
  })
})

it('without the option, each member exports its own metrics', async () => {
  const receiver = await startReceiver()
  onTestFinished(receiver.dispose)
  const telemetry = await startMember({ url: receiver.url })
  await telemetry.flush()
  expect(receiver.exports[0]?.metrics.map(({ name }) => name)).toContain('own')
  expect(attributesOf(receiver.exports[0]?.resource)['service.instance.id']).toMatch(/^[0-9a-f-]{36}$/)
})

it('a cluster that cannot be read is reported once, and exports nothing', async () => {
  const [receiver, { measurements }] = [await startReceiver(), createGroup()]
  onTestFinished(receiver.dispose)
  const reports: string[] = []
  const isFirst = () => {
    throw new Error('no directory')
  }
  const telemetry = await startMember({ url: receiver.url, cluster: { measurements, id: 'group-1', isFirst } }, reports)
  await telemetry.flush()
  await telemetry.flush()
  expect(receiver.exports).toEqual([])
  expect(reports).toEqual(['otlp: the members of the cluster cannot be read; this one exports no metrics'])
})

describe('the option cluster', () => {
  it.each(['delta', 'lowmemory'] as const)('requires cumulative temporality, not %s', async (temporality) => {
    const cluster = createGroup().clusterOf(0)
    const place = 'startTelemetry: metrics.temporality'
    const message = `${place}: expected "cumulative" with the option cluster, received "${temporality}"`
    await expect(startMember({ cluster, metrics: { temporality } })).rejects.toThrow(new TypeError(message))
    vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', temporality)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(startMember({ cluster })).rejects.toThrow(new TypeError(message))
  })

  it.each([true, {}, { id: 'group-1' }, { ...createGroup().clusterOf(0), id: '' }])('rejects %j', async (cluster) => {
    const options: object = { cluster }
    await expect(startMember(options)).rejects.toThrow('startTelemetry: cluster: expected the result of joinCluster')
  })
})
