import { text } from 'node:stream/consumers'
import { createMeterRegistry } from 'upkeep/metrics'
import { deletePushedMetrics, type PushOptions, pushMetrics } from 'upkeep/prometheus'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeServer } from '../support/describe-server.ts'
import { freePort } from '../support/free-port.ts'
import { findProgram } from '../support/programs.ts'
import { startHttp } from '../support/start-http.ts'
import { startPushgateway } from '../support/start-pushgateway.ts'

function meters() {
  const registry = createMeterRegistry()
  registry.counter('rows.imported', { table: 'a "b"\\' }).increment(17)
  registry.timer('import', {}, { slo: [1] }).record(0.25)
  return registry
}

/** A server that answers a push as it is told, and keeps what it was sent. */
async function receive(status: number, response = '') {
  const received: {
    method: string
    path: string
    type: string | undefined
    authorization: string | undefined
    body: string
  }[] = []
  const server = await startHttp(async (req, res) => {
    const { method = '', url: path = '', headers } = req
    received.push({
      method,
      path,
      type: headers['content-type'],
      authorization: headers.authorization,
      body: await text(req),
    })
    if (status !== 0) res.writeHead(status).end(response)
  })
  onTestFinished(server.dispose)
  return { url: server.url, received }
}

describe('pushMetrics', () => {
  it.each<readonly [Omit<PushOptions, 'url'>, string, string]>([
    [{ job: 'import' }, 'PUT', '/metrics/job/import'],
    [{ job: 'import', mode: 'add' }, 'POST', '/metrics/job/import'],
    [{ job: 'a/b', grouping: { instance: 'eu-1' } }, 'PUT', '/metrics/job@base64/YS9i/instance/eu-1'],
    [{ job: 'i', grouping: { shard: '' } }, 'PUT', '/metrics/job/i/shard@base64/='],
    [{ job: '☂ ?#%2F', grouping: { path: '..' } }, 'PUT', '/metrics/job@base64/4piCID8jJTJG/path@base64/Li4'],
  ])('with %j sends %s to %s', async (options, method, path) => {
    const { url, received } = await receive(202)
    await pushMetrics(meters(), { ...options, url: `${url}/`, headers: { Authorization: 'Bearer x' } })
    expect(received).toMatchObject([
      { method, path, type: 'text/plain; version=0.0.4; charset=utf-8', authorization: 'Bearer x' },
    ])
    expect(received[0]?.body).toContain('rows_imported_total{table="a \\"b\\"\\\\"} 17\n')
  })

  it('rejects with the response if the push is refused', async () => {
    const { url } = await receive(400, 'pushed metrics are invalid\n')
    await expect(pushMetrics(meters(), { url, job: 'import' })).rejects.toThrow(
      new Error(`Pushgateway ${url}: PUT was refused with 400: pushed metrics are invalid`),
    )
  })

  it('rejects after the timeout', async () => {
    const { url } = await receive(0)
    await expect(pushMetrics(meters(), { url, job: 'import', timeout: '50ms' })).rejects.toThrow(
      expect.objectContaining({
        message: `Pushgateway ${url}: no response within 50ms`,
        cause: expect.objectContaining({ name: 'TimeoutError' }),
      }),
    )
  })

  it('rejects if the connection is refused', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await expect(pushMetrics(meters(), { url, job: 'i' })).rejects.toThrow(
      `Pushgateway ${url}: request failed: connect ECONNREFUSED`,
    )
  })

  it.each([
    [{ job: '' }, 'job: expected a non-empty string, received ""'],
    [{ job: undefined }, 'job: expected a string, received undefined'],
    [{ job: 'i', grouping: { 'a/b': 'c' } }, 'grouping: expected label names other than job, received "a/b"'],
    [{ job: 'i', grouping: { job: 'c' } }, 'grouping: expected label names other than job, received "job"'],
    [{ job: 'i', grouping: { shard: 5 } }, 'grouping.shard: expected a string, received a number'],
    [{ job: 'i', mode: 'merge' }, 'mode: expected "replace" or "add", received "merge"'],
    [
      { job: 'i', url: 'pushgateway:9091' },
      'url: expected an address such as http://pushgateway:9091, received "pushgateway:9091"',
    ],
    [{ job: 'i', url: undefined }, 'url: expected an address such as http://pushgateway:9091, received undefined'],
    [
      { job: 'i', url: 'http://me:secret@127.0.0.1:1' },
      'url: expected no user name and password; use headers with an Authorization instead',
    ],
  ])('rejects %j', async (options, message) => {
    const wrong = { url: 'http://127.0.0.1:1', ...options } as PushOptions
    await expect(pushMetrics(meters(), wrong)).rejects.toThrow(message)
  })
})

describeServer(
  {
    name: 'the Pushgateway',
    program: findProgram('prometheus-pushgateway'),
    install: 'apt-get install -y prometheus-pushgateway',
    start: startPushgateway,
  },
  (server) => {
    const page = async () => (await fetch(`${server().url}/metrics`)).text()
    const group = { job: 'im/port', grouping: { instance: 'eu-1', shard: '' } }

    it('shows the pushed metrics with their group until they are deleted', async () => {
      const { url } = server()
      await pushMetrics(meters(), { url, ...group })
      const pushed = await page()
      expect(pushed).toContain('rows_imported_total{instance="eu-1",job="im/port",shard="",table="a \\"b\\"\\\\"} 17\n')
      expect(pushed).toMatch(/import_seconds_bucket\{instance="eu-1",job="im\/port",shard="",le="1"\} 1\n/)
      await deletePushedMetrics({ url, ...group })
      // It responds with 202, and deletes later.
      await expect.poll(page).not.toContain('rows_imported_total')
    })

    it('keeps other names in mode "add", and removes them in mode "replace"', async () => {
      const { url } = server()
      await pushMetrics(meters(), { url, ...group })
      const more = createMeterRegistry()
      more.counter('rows.skipped').increment()
      await pushMetrics(more, { url, ...group, mode: 'add' })
      expect(await page()).toMatch(/rows_imported_total\{.*rows_skipped_total\{/s)
      await pushMetrics(more, { url, ...group })
      expect(await page()).not.toContain('rows_imported_total')
      await deletePushedMetrics({ url, ...group })
    })
  },
)
