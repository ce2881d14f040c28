import type promClient from 'prom-client'
import type { Management } from 'upkeep'
import { prometheusRegistry } from 'upkeep/prometheus'
import { describe, expect, it, vi } from 'vitest'
import { createManagementClient } from '../support/management-client.ts'
import { requestWith } from '../support/management-request.ts'
import { readText } from '../support/read-text.ts'

/** The tests of a registry of prom-client, or of a client with the same functions. */
export function describeRegistry(name: string, client: typeof promClient): void {
  describe(`a registry of ${name}`, () => {
    const open = (registry = fill(client), options = {}) =>
      createManagementClient({
        expose: ['metrics', 'prometheus'],
        metrics: { runtime: false, sources: [prometheusRegistry(registry, options)] },
      })

    it('is scraped with the meters of the application, by its own names and values', async () => {
      const registry = fill(client)
      const { management } = open(registry)
      management.meters.counter('orders.placed').increment(2)
      const page = await pageOf(management)
      const own = samplesOf(await registry.metrics())
      expect(own.size).toBe(22)
      const ours = samplesOf(page)
      expect(Object.fromEntries([...ours].filter(([series]) => own.has(series)))).toEqual(Object.fromEntries(own))
      expect(ours.get('orders_placed_total ')).toBe(2)
      expect(page).toContain('# TYPE latency_seconds histogram\n')
      expect(page).toContain('# TYPE sizes summary\n')
      expect(page).not.toMatch(/^(latency_seconds|sizes)_max/m)
    })

    it('follows later recordings', async () => {
      const registry = fill(client)
      const { management } = open(registry)
      await pageOf(management)
      const counter = registry.getSingleMetric('hits') as InstanceType<typeof promClient.Counter>
      counter.inc()
      registry.removeSingleMetric('queue_depth')
      const page = await pageOf(management)
      expect(page).toContain('hits{app="orders"} 8\n')
      expect(page).not.toContain('queue_depth')
    })

    it('is included in the metric endpoints', async () => {
      const { send } = open()
      const { json } = await send('/management/metrics')
      expect((json as { names: string[] }).names).toEqual(expect.arrayContaining(['latency_seconds', 'requests_total']))
      expect((await send('/management/metrics/latency_seconds?tag=route:/a')).json).toEqual({
        name: 'latency_seconds',
        description: 'What is "said" of it',
        measurements: [
          { statistic: 'COUNT', value: 5 },
          { statistic: 'TOTAL', value: 23.05 },
        ],
        availableTags: [{ tag: 'app', values: ['orders'] }],
      })
    })

    it('with a failing collector is omitted, and reported once', async () => {
      const registry = new client.Registry()
      const fail = () => Promise.reject(new Error('no'))
      new client.Gauge({ name: 'broken', help: 'h', registers: [registry], collect: fail })
      const report = vi.fn()
      const { management } = open(registry, { report })
      management.meters.counter('orders.placed')
      for (let scrapes = 0; scrapes < 3; scrapes++)
        expect(await pageOf(management)).toContain('orders_placed_total 0\n')
      expect(report.mock.calls).toEqual([
        ['prometheusRegistry: failed to read the registry; its metrics are omitted', new Error('no')],
      ])
    })

    it('with a hanging collector is not awaited, and not read concurrently', async () => {
      const registry = new client.Registry()
      let begun = 0
      const collect = () => {
        begun++
        return new Promise<void>(() => {})
      }
      new client.Gauge({ name: 'hanging', help: 'h', registers: [registry], collect })
      const report = vi.fn()
      const { management } = open(registry, { report, timeout: '10ms' })
      for (let scrapes = 0; scrapes < 3; scrapes++) await pageOf(management)
      expect(begun).toBe(1)
      expect(report.mock.calls).toEqual([
        ['prometheusRegistry: no result within 10ms; the previous values are used', undefined],
      ])
    })

    it('yields to a meter of the application with the same name', async () => {
      const report = vi.fn()
      const { management } = createManagementClient({
        expose: ['prometheus'],
        metrics: { runtime: false, sources: [prometheusRegistry(fill(client))] },
        report,
      })
      management.meters.gauge('queue_depth', {}, () => 1)
      const page = await pageOf(management)
      expect(page.match(/^queue_depth.*$/gm)).toEqual(['queue_depth 1'])
      await pageOf(management)
      expect(report.mock.calls).toEqual([
        ["several sources have the meter 'queue_depth': that of the application, or else of the first source, is used"],
      ])
    })
  })
}

/** A registry with every kind of metric, and with names and values that are hard to keep. */
export function fill(client: typeof promClient): InstanceType<typeof promClient.Registry> {
  const registry = new client.Registry()
  registry.setDefaultLabels({ app: 'orders' })
  const registers = [registry]
  const help = 'What is "said" of it'
  const counter = new client.Counter({ name: 'requests_total', help, labelNames: ['region', 'result'], registers })
  counter.inc({ region: 'eu', result: 'a "b"\\' }, 3)
  counter.inc({ region: 'us', result: 'line\nbreak' }, 0.5)
  new client.Counter({ name: 'hits', help, registers }).inc(7)
  new client.Gauge({ name: 'queue_depth', help, registers }).set(-17.25)
  new client.Gauge({ name: 'handles_total', help, registers }).set(4)
  new client.Gauge({
    name: 'read_late',
    help,
    registers,
    collect: async function () {
      this.set(await Promise.resolve(42))
    },
  })
  const histogram = new client.Histogram({
    name: 'latency_seconds',
    help,
    labelNames: ['route'],
    buckets: [0.1, 1, 5],
    registers,
  })
  for (const value of [0.05, 0.5, 0.5, 2, 20]) histogram.observe({ route: '/a' }, value)
  histogram.observe({ route: '/b' }, 1)
  const summary = new client.Summary({ name: 'sizes', help, percentiles: [0.5, 0.99], registers })
  for (const value of [1, 2, 3]) summary.observe(value)
  return registry
}

/** The samples of a page, by series with its labels in order. */
function samplesOf(page: string): ReadonlyMap<string, number> {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [, name = '', , labels = '', value = ''] = /^(\w+)(\{(.*)\})? ([^ ]+)$/.exec(line) ?? []
      const each = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text = '']) => {
        const bound = (key === 'le' || key === 'quantile') && /^\d+$/.test(text)
        return `${key}=${bound ? `${text}.0` : text}`
      })
      return [`${name} ${each.sort().join(' ')}`, Number(value.replace('Nan', 'NaN'))]
    }),
  )
}

async function pageOf(management: Management): Promise<string> {
  const response = await management({ ...requestWith({}), target: '/management/prometheus' })
  return readText(response?.body as AsyncIterable<Uint8Array>)
}
