import promClient from 'prom-client'
import { createManagement, type ManagementOptions } from 'upkeep'
import { manage } from 'upkeep/node'
import { prometheusRegistry } from 'upkeep/prometheus'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectGarbage } from '../support/collect-garbage.ts'
import { eventually } from '../support/eventually.ts'
import { listen } from '../support/listen.ts'

const text = 'text/plain;version=0.0.4'
const openMetrics = 'application/openmetrics-text;version=1.0.0'

const registry = new promClient.Registry()
beforeAll(async () => {
  promClient.collectDefaultMetrics({ register: registry })
  collectGarbage()
  const hasCollected = async () =>
    expect(await registry.getSingleMetricAsString('nodejs_gc_duration_seconds')).toContain('_bucket')
  await eventually(hasCollected)
})
afterAll(() => registry.clear())

/** A management of prom-client's default metrics, and what prom-client reported in the latest scrape. */
async function scraped(metrics: ManagementOptions['metrics']) {
  let latest: Awaited<ReturnType<typeof registry.getMetricsAsJSON>> = []
  const observed = { getMetricsAsJSON: async () => (latest = await registry.getMetricsAsJSON()) }
  const report = vi.fn()
  const management = createManagement({
    expose: ['prometheus'],
    metrics: { ...metrics, sources: [prometheusRegistry(observed)] },
    report,
  })
  const { port, close } = await listen((req, res) => manage(management)(req, res))
  onTestFinished(async () => {
    await close()
    management.close()
  })
  const scrape = async (accept: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/management/prometheus`, { headers: { accept } })
    return { page: await response.text(), type: response.headers.get('content-type'), collected: seriesOf(latest) }
  }
  return { scrape, report }
}

/** The value of each series in what prom-client renders its own page from. */
function seriesOf(metrics: readonly unknown[]): Map<string, number> {
  const series = new Map<string, number>()
  for (const { name, values } of metrics as { name: string; values: ClientValue[] }[]) {
    for (const { metricName = name, labels, value } of values) series.set(keyOf(metricName, labels), value)
  }
  return series
}

interface ClientValue {
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

function keyOf(name: string, labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `${label}=${label === 'le' ? Number(`${value}`.replace('+Inf', 'Infinity')) : value}`,
  )
  return `${name}{${pairs.sort().join(',')}}`
}

/** The value of each series of a page. */
function samplesOf(page: string): Map<string, number> {
  const samples = new Map<string, number>()
  for (const [, name = '', labels = '', value] of page.matchAll(/^(\w+)(?:\{(.*)\})? ([^ \n]+)/gm)) {
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of])
    samples.set(keyOf(name, Object.fromEntries(pairs)), Number(value))
  }
  return samples
}

function types(page: string): ReadonlyMap<string, string> {
  return new Map([...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
}

describe.each([
  ['with the meters of the process', {}],
  ['with the meters of the process called nodejs', { runtime: { prefix: 'nodejs' as const } }],
  ['without the meters of the process', { runtime: false }],
])("prom-client's default metrics %s", (_, metrics) => {
  it.each([text, openMetrics])('are scraped completely as %s, with their values, labels and types', async (accept) => {
    const { scrape, report } = await scraped(metrics)
    const { page, type, collected } = await scrape(accept)
    expect(type).toContain(accept.split(';')[0])
    const samples = samplesOf(page)
    const kept = new Map([...collected].filter(([series]) => samples.has(series)).map(([s]) => [s, samples.get(s)]))
    expect(kept).toEqual(collected)
    expect(collected.size).toBeGreaterThan(50)
    // Of its own page only the names: which resources are active has changed since.
    const names = [...samplesOf(await registry.metrics()).keys()].map((series) => series.replace(/\{.*/, '{'))
    const exported = new Set([...samples.keys()].map((series) => series.replace(/\{.*/, '{')))
    expect(names.filter((name) => !exported.has(name))).toEqual([])
    const typed = types(page)
    for (const gauge of ['nodejs_active_handles_total', 'nodejs_active_handles', 'nodejs_active_resources_total']) {
      expect(typed.get(gauge)).toBe('gauge')
    }
    expect(typed.get('nodejs_version_info')).toBe('gauge')
    expect(report.mock.calls).toEqual([])
  })
})

it('a metric of a source replaces the meter of the process that has its exported name', async () => {
  const { scrape } = await scraped({})
  const { page, collected } = await scrape(text)
  expect(page.match(/^process_start_time_seconds .*$/gm)).toEqual([
    `process_start_time_seconds ${collected.get('process_start_time_seconds{}')}`,
  ])
  expect(page).not.toMatch(/^nodejs_active_handles \d/m)
  expect(page).toMatch(/^process_uptime_seconds /m)
})
