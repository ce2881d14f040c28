import type { MetricsOptions } from 'upkeep'
import { createManagement } from 'upkeep'
import type { ManagementResponse } from 'upkeep/adapter'
import { createMeterRegistry } from 'upkeep/metrics'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { requestWith } from '../support/management-request.ts'
import { textOf } from '../support/read-content.ts'

function measured(metrics: MetricsOptions = {}) {
  const report = vi.fn()
  const management = createManagement({ expose: ['prometheus'], metrics, report })
  onTestFinished(() => management.close())
  const scrape = async () => {
    const response = await management({ ...requestWith({}), target: '/management/prometheus' })
    if (response === undefined) throw new Error('the scrape was passed on')
    return textOf(response)
  }
  return { management, meters: management.meters, scrape, report }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const samples = (page: string) => page.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('the meters of a management', () => {
  it('is the process, and the scrapes', () => {
    expect(measured().meters.names()).toEqual(
      expect.arrayContaining(['jvm.memory.used', 'process.uptime', 'system.cpu.count', 'upkeep.scrape.series']),
    )
  })

  it('is not the process when that is not wanted', async () => {
    const { meters } = measured({ runtime: false })
    await nextTurn()
    expect(meters.names()).toEqual(['upkeep.scrape.series'])
  })

  it('is called, of the process, by the prefix that is wanted', () => {
    const names = measured({ runtime: { prefix: 'nodejs' } }).meters.names()
    expect(names).toContain('nodejs.memory.used')
    expect(names.filter((name) => name.startsWith('jvm.'))).toEqual([])
  })

  it('adds the common tags to all meters without a tag of that key', async () => {
    const { meters, scrape } = measured({ commonTags: { region: 'eu', zone: 7 } })
    meters.counter('orders', { region: 'us' }).increment()
    await scrape()
    const page = samples(await scrape())
    expect(page).toContain('orders_total{region="us",zone="7"} 1')
    expect(page.length).toBeGreaterThan(30)
    for (const line of page) expect(line).toMatch(/\{.*region="(eu|us)".*zone="7".*\} /)
  })

  it('passes the filters of the application after the common tags', () => {
    const { meters } = measured({
      runtime: false,
      commonTags: { region: 'eu' },
      filters: [
        { map: (id) => ({ ...id, tags: id.tags.map(({ key, value }) => ({ key, value: value.toUpperCase() })) }) },
      ],
    })
    expect(meters.counter('orders').id.tags).toEqual([{ key: 'region', value: 'EU' }])
  })

  it('reports a meter that several sources have once, and exports that of the application', async () => {
    const report = vi.fn()
    const sources = [1, 2].map((count) => {
      const registry = createMeterRegistry()
      registry.counter('orders').increment(count)
      registry.counter('bills').increment(count)
      return registry
    })
    const management = createManagement({ expose: ['prometheus'], metrics: { runtime: false, sources }, report })
    onTestFinished(() => management.close())
    management.meters.counter('orders').increment(7)
    for (let scrape = 0; scrape < 3; scrape++) {
      const response = await management({ ...requestWith({}), target: '/management/prometheus' })
      expect(samples(await textOf(response as ManagementResponse))).toEqual(
        expect.arrayContaining(['orders_total 7', 'bills_total 1']),
      )
    }
    const message = (name: string) =>
      `several sources have the meter '${name}': that of the application, or else of the first source, is used`
    expect(report.mock.calls.map(([text]) => text).sort()).toEqual([message('bills'), message('orders')])
  })

  it('reports a meter with too many series', () => {
    const { meters, report } = measured({ runtime: false, maximumSeriesPerMeter: 2 })
    for (const customer of ['a', 'b', 'c', 'd']) meters.counter('orders', { customer }).increment()
    expect(report.mock.calls).toEqual([
      [expect.stringContaining("The meter 'orders' has reached its maximum of 2 series"), undefined],
    ])
  })

  it('is scraped where the meters of the scrape cannot be recorded', async () => {
    const { meters, scrape, report } = measured({ runtime: false })
    meters.gauge('upkeep.scrape.duration', { format: 'text/plain' }, () => 1)
    meters.counter('a').increment()
    for (let time = 0; time < 2; time++) expect(await scrape()).toMatch(/^a_total 1$/m)
    expect(report).toHaveBeenCalledExactlyOnceWith('measuring a scrape failed', expect.any(TypeError))
  })
})

describe('a management that is closed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    return () => vi.useRealTimers()
  })

  it('has no timer left', () => {
    const { management, meters } = measured({ expireAfter: { counter: '1m' } })
    meters.timer('work', {}, { percentiles: [0.5] }).record(1)
    expect(vi.getTimerCount()).toBeGreaterThan(3)
    management.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
})
