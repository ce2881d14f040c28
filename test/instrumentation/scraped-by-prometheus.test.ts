import { spawnSync } from 'node:child_process'
import express from 'express'
import { createManagement, HttpError } from 'upkeep'
import { handleErrors, manage, observe } from 'upkeep/express'
import { histogram, type MeterSnapshot } from 'upkeep/metrics'
import { afterAll, expect, it, vi } from 'vitest'
import { describeProgram } from '../support/describe-program.ts'
import { describeServer } from '../support/describe-server.ts'
import { type Listening, listen } from '../support/listen.ts'
import { findProgram } from '../support/programs.ts'
import { queryPrometheus, startPrometheus } from '../support/start-prometheus.ts'

type Labels = Readonly<Record<string, string>>

const requests = 300
let traces = 0

const management = createManagement({
  expose: ['health', 'metrics', 'prometheus'],
  metrics: {
    commonTags: { region: 'eu "1"\\' },
    filters: [histogram('http.server.requests', { slo: [0.001, 0.05, 1] })],
    exemplar: () => ({ traceId: (++traces).toString(16).padStart(32, '0'), spanId: '00f067aa0ba902b7' }),
  },
})
const placed = management.meters.counters('orders.placed', ['result'])
management.meters.gauge('queue.depth', {}, () => 17.5)

const app = express()
// Prometheus asks for OpenMetrics always; behind this path it gets the older text.
app.use('/text', (req, _res, next) => {
  req.headers.accept = 'text/plain;version=0.0.4'
  next()
})
app.use(observe(management))
app.use('/text', manage(management))
app.use(manage(management))
app.get('/orders/:id', (req, res) => {
  placed.with(Number(req.params.id) % 3 === 0 ? 'late' : 'success').increment()
  if (req.params.id === '13') throw new HttpError(409, 'no')
  setImmediate(() => res.end('ok'))
})
app.use(handleErrors())

let listening: Listening | undefined
afterAll(async () => {
  await listening?.close()
  management.close()
})

async function load(port: number): Promise<void> {
  let next = 0
  const send = async () => {
    while (next < requests) await (await fetch(`http://127.0.0.1:${port}/orders/${next++ % 50}`)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 8 }, send))
}

function tagsOf({ id }: MeterSnapshot): Labels {
  return Object.fromEntries(id.tags.map(({ key, value }) => [key, value]))
}

/** All series that the load has made, as Prometheus calls them, with their values. */
function held(): Map<string, number> {
  const values = new Map<string, number>()
  const hold = (name: string, labels: Labels, value: number) =>
    values.set(seriesOf({ ...labels, __name__: name }), value)
  for (const one of management.meters.snapshot('orders.placed')) {
    if (one.kind === 'counter') hold('orders_placed_total', tagsOf(one), one.value)
  }
  for (const one of management.meters.snapshot('queue.depth')) {
    if (one.kind === 'gauge') hold('queue_depth', tagsOf(one), one.value)
  }
  for (const one of management.meters.snapshot('http.server.requests')) {
    if (one.kind !== 'timer' || one.buckets === undefined) continue
    const tags = tagsOf(one)
    hold('http_server_requests_seconds_count', tags, one.count)
    hold('http_server_requests_seconds_sum', tags, one.total)
    hold('http_server_requests_seconds_max', tags, one.max)
    let below = 0
    for (const [at, count] of one.buckets.counts.entries()) {
      below += count
      const le = one.buckets.bounds[at]
      const text = le === undefined ? '+Inf' : Number.isInteger(le) ? le.toFixed(1) : String(le)
      hold('http_server_requests_seconds_bucket', { ...tags, le: text }, below)
    }
  }
  return values
}

function seriesOf({ instance: _i, job: _j, ...labels }: Labels): string {
  // The text says le="1", and OpenMetrics le="1.0".
  const alike = labels['le'] === '1' ? { ...labels, le: '1.0' } : labels
  return JSON.stringify(Object.entries(alike).sort())
}

describeServer(
  {
    name: 'Prometheus',
    program: findProgram('prometheus'),
    install: 'apt-get install -y prometheus',
    start: async () => {
      listening = await listen(app)
      const { port } = listening
      return startPrometheus({
        openmetrics: { port, path: '/management/prometheus' },
        text: { port, path: '/text/management/prometheus' },
      })
    },
  },
  (prometheus) => {
    const query = async (text: string) => {
      const { result } = await queryPrometheus<{ result: { metric: Labels; value: [number, string] }[] }>(
        prometheus(),
        'query',
        { query: text },
      )
      return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
    }
    const patiently = { timeout: 20_000, interval: 100 }

    it("stores the registry's values in both formats, for an application under load", async () => {
      await load(listening?.port ?? 0)
      const expected = held()
      expect([...expected.keys()].join()).toContain('/orders/:id')
      expect(expected.size).toBe(2 + 1 + 2 * (3 + 4))
      for (const job of ['openmetrics', 'text']) {
        const stored = async () => {
          const names = 'orders_placed_total|queue_depth|http_server_requests_seconds_.*'
          const found = await query(`{job="${job}", __name__=~"${names}"}`)
          return new Map(found.map((one) => [seriesOf(one.metric), one.value]))
        }
        await expect.poll(stored, patiently).toEqual(expected)
      }
      expect((await query('up')).map(({ value }) => value)).toEqual([1, 1])
    })

    it('stores as many series from OpenMetrics as from the text format', async () => {
      const compare = async () => {
        const found = await query('count by (job, __name__) ({job=~".+"})')
        const of = (job: string) => {
          const series = found.filter(({ metric }) => metric['job'] === job)
          return Object.fromEntries(series.map(({ metric, value }) => [metric['__name__'], value]))
        }
        expect(Object.keys(of('text'))).toContain('upkeep_scrape_series')
        expect(of('openmetrics')).toEqual(of('text'))
      }
      await vi.waitFor(compare, patiently)
    })

    it('requested both formats, as counted by the meters of the scrapes', async () => {
      const formats = [...management.meters.snapshot('upkeep.scrape.duration')].map((one) => tagsOf(one)['format'])
      expect(formats.sort()).toEqual(['application/openmetrics-text', 'text/plain'])
    })

    it("stores the exemplars of the registry's buckets", async () => {
      const expected = [...management.meters.snapshot('http.server.requests')]
        .flatMap((one) => (one.kind === 'timer' ? (one.exemplars ?? []) : []))
        .flatMap((one) => (one === undefined ? [] : [`${one.traceId} ${one.spanId} ${one.value}`]))
      expect(expected.length).toBeGreaterThan(0)
      const stored = async () => {
        const found = await queryPrometheus<{ exemplars: { labels: Labels; value: string }[] }[]>(
          prometheus(),
          'query_exemplars',
          {
            query: 'http_server_requests_seconds_bucket{job="openmetrics"}',
            start: String(Date.now() / 1_000 - 600),
            end: String(Date.now() / 1_000 + 600),
          },
        )
        return found.flatMap(({ exemplars }) =>
          exemplars.map(({ labels, value }) => `${labels['trace_id']} ${labels['span_id']} ${Number(value)}`),
        )
      }
      await expect.poll(stored, patiently).toEqual(expect.arrayContaining(expected))
    })

    describeProgram({ program: 'promtool', debian: 'prometheus' }, (promtool) => {
      it('reports no problem but the names that dashboards for Spring Boot require', async () => {
        const response = await fetch(`http://127.0.0.1:${listening?.port}/text/management/prometheus`)
        const page = await response.text()
        expect(page).toContain('jvm_memory_used_bytes')
        const { stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: page, encoding: 'utf8' })
        const known = [
          'process_cpu_time_ns_total metric names should not contain abbreviated units',
          'system_cpu_count non-histogram and non-summary metrics should not have "_count" suffix',
        ]
        const remarks = stderr.trim().split('\n').toSorted()
        expect({ stdout, remarks }).toEqual({ stdout: '', remarks: known })
        const others = page.replaceAll(/^.*(system_cpu_count|process_cpu_time_ns).*\n/gm, '')
        const { status } = spawnSync(promtool, ['check', 'metrics'], { input: others, encoding: 'utf8' })
        expect(status).toBe(0)
      })
    })
  },
)
