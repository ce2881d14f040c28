import { describe, expect, it, onTestFinished } from 'vitest'
import { type DocumentedProgram, startDocumented } from '../../migrate/documented-program.ts'
import { startDatabase } from '../../migrate/start-database.ts'
import { built } from '../../support/built.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { listen } from '../../support/listen.ts'
import { queryPrometheus, startPrometheus } from '../../support/start-prometheus.ts'

const project = built('build/with/incumbents')

const text = { accept: 'text/plain;version=0.0.4' }
const openMetrics = { accept: 'application/openmetrics-text;version=1.0.0' }

async function start(name: string): Promise<DocumentedProgram> {
  // Longer than the bucket of 30 ms, and shorter than that of 100 ms.
  const { env } = await startDatabase({ queryMilliseconds: 50 })
  return startDocumented('prom-client.md', name, { env, project })
}

/** The type and the label names of each family of a page that has samples, by its name. */
function familiesOf(page: string): ReadonlyMap<string, string> {
  const types = [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  return new Map(
    types.flatMap(([, family = '', type = '']) => {
      const samples = [...page.matchAll(new RegExp(`^${family}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? `, 'gm'))]
      const labels = samples.flatMap(([, list = '']) => [...list.matchAll(/(\w+)="/g)].map(([, label]) => label))
      return samples.length === 0 ? [] : [[family, `${type} ${[...new Set(labels)].sort()}`] as const]
    }),
  )
}

describe('coming from prom-client and express-prom-bundle', () => {
  it('the scrape has every name, type and label that it had, but up', async () => {
    const [old, current] = await Promise.all([start('before.mjs'), start('after.mjs')])
    for (const { get } of [old, current]) expect((await get('/orders/17')).status).toBe(200)
    const before = familiesOf((await old.get('/metrics', { headers: text })).text)
    expect(before.size).toBeGreaterThan(25)
    const pages = async () => {
      const { text: page } = await current.get('/metrics', { headers: text })
      const after = familiesOf(page)
      return Object.fromEntries([...before.keys()].map((name) => [name, after.get(name)]))
    }
    // A collection of garbage, and resources that are active, come and go.
    const expected = Object.fromEntries([...before].map(([name, is]) => [name, name === 'up' ? undefined : is]))
    await expect.poll(pages).toEqual(expected)

    const { text: page } = await current.get('/metrics', { headers: openMetrics })
    expect(page).toMatch(/# EOF\n$/)
    for (const name of ['nodejs_active_handles_total', 'nodejs_active_resources_total', 'nodejs_version_info']) {
      expect(page).toContain(`# TYPE ${name} gauge\n`)
    }
    expect(page).toContain('orders_served_total{country="fr"} 1\n')
  })

  describeProgram({ program: 'prometheus', debian: 'prometheus' }, (command) => {
    it('a Prometheus evaluates the same queries of requests to the same numbers', async () => {
      const program = await start('both.mjs')
      const { port } = await scrapeAtOnce(program)
      await load(program)
      const prometheus = await startPrometheus({ orders: { port, path: '/metrics' } }, { command })
      onTestFinished(() => prometheus.dispose())
      const query = async (promql: string) => {
        const { result } = await queryPrometheus<{ result: readonly Sample[] }>(prometheus, 'query', { query: promql })
        const sides = { old: new Map<string, number>(), new: new Map<string, number>() }
        for (const { metric, value } of result) {
          const { side, ...labels } = metric
          sides[side === 'old' ? 'old' : 'new'].set(JSON.stringify(labels), Number(value[1]))
        }
        return sides
      }
      const stored = (count: number) =>
        expect
          .poll(() => query('sum by (side) (http_request_duration_seconds_count)'))
          .toEqual({ old: new Map([['{}', count]]), new: new Map([['{}', count]]) })
      await stored(loadSize)
      await load(program)
      await stored(2 * loadSize)

      for (const promql of exactQueries) {
        const sides = await query(promql)
        expect(sides.new, promql).toEqual(sides.old)
        expect(sides.old.size, promql).toBeGreaterThan(0)
      }
      // A request may be in another bucket on each side, because its time is measured to another end.
      for (const promql of quantileQueries) {
        const sides = await query(promql)
        expect([...sides.new.keys()], promql).toEqual([...sides.old.keys()])
        expect(sides.old.size, promql).toBe(1)
        for (const value of [...sides.new.values(), ...sides.old.values()]) expect(value, promql).toBeGreaterThan(0)
      }
      const mean = await query(meanQuery)
      for (const [labels, seconds] of mean.old) {
        // The old side ends with the last byte handed to the socket, the new one when the response is closed.
        expect(mean.new.get(labels)).toBeGreaterThanOrEqual(seconds * 0.8)
        expect(mean.new.get(labels)).toBeLessThanOrEqual(seconds * 1.5)
      }
      expect(mean.old.size).toBe(1)
      const up = await queryPrometheus<{ result: readonly Sample[] }>(prometheus, 'query', { query: 'sum(up)' })
      expect(up.result.map(({ value }) => value[1])).toEqual(['1'])
    })
  })
})

interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

const name = 'http_request_duration_seconds'
const exactQueries = [
  `sum by (side, method, status_code) (rate(${name}_count[5m]))`,
  `sum by (side, status_code) (${name}_count)`,
  `sum by (side, path) (rate(${name}_count{status_code!="404"}[5m]))`,
  `sum by (side) (rate(${name}_count{status_code=~"4.."}[5m])) / sum by (side) (rate(${name}_count[5m]))`,
  `sum by (side) (${name}_bucket{le="+Inf", path="/orders/#val"}) / sum by (side) (${name}_count{path="/orders/#val"})`,
]
const quantileQueries = [
  `histogram_quantile(0.95, sum by (side, path, le) (rate(${name}_bucket{method="GET", status_code="200"}[5m])))`,
  `histogram_quantile(0.5, sum by (side, le) (rate(${name}_bucket{path="/orders/#val"}[5m])))`,
]
const ofOrders = 'path="/orders/#val"'
const rateOf = (part: string) => `sum by (side) (rate(${name}_${part}{${ofOrders}}[5m]))`
const meanQuery = `${rateOf('sum')} / ${rateOf('count')}`

const loadSize = 30 + 10 + 5

async function load({ get }: DocumentedProgram): Promise<void> {
  const requests = [
    ...Array.from({ length: 30 }, (_, id) => get(`/orders/${id}`)),
    ...Array.from({ length: 10 }, () => get('/orders', { method: 'POST' })),
    ...Array.from({ length: 5 }, () => get('/elsewhere')),
  ]
  await Promise.all(requests)
}

/** Serves both pages as one, with the label `side`: rates depend on the times of scrapes, which are then the same. */
async function scrapeAtOnce({ get }: DocumentedProgram) {
  const read = async (path: string, side: string) => {
    const { text: page } = await get(path, { headers: text })
    return page.replaceAll(/^(\w+)(?:\{(.*)\})? /gm, (_, metric, labels = '') => {
      return `${metric}{side="${side}"${labels === '' ? '' : `,${labels}`}} `
    })
  }
  const listening = await listen(async (_req, res) => {
    const pages = await Promise.all([read('/metrics', 'old'), read('/management/prometheus', 'new')])
    const lines = pages.join('').split('\n')
    res.setHeader('Content-Type', 'text/plain; version=0.0.4')
    res.end(`${lines.filter((line) => line.startsWith(name)).join('\n')}\n`)
  })
  onTestFinished(listening.close)
  return listening
}
