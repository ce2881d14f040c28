import { text } from 'node:stream/consumers'
import { deletePushedMetrics, type PushOptions, pushMetrics } from 'upkeep/prometheus'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { startHttp } from '../support/start-http.ts'
import { meters } from './import-meters.ts'

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

  it('has at most 500 characters of the response in its error', async () => {
    const { url } = await receive(500, `${'x'.repeat(499)}yz`)
    await expect(pushMetrics(meters(), { url, job: 'import' })).rejects.toThrow(
      new Error(`Pushgateway ${url}: PUT was refused with 500: ${'x'.repeat(499)}y`),
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
      expect.objectContaining({
        message: expect.stringContaining(`Pushgateway ${url}: request failed: connect ECONNREFUSED`),
        code: 'UPKEEP_EDELIVERY',
        cause: expect.objectContaining({ message: 'fetch failed' }),
      }),
    )
  })

  it.each([
    ['the message of the cause', new TypeError('fetch failed', { cause: new Error('closed') }), 'closed'],
    ['the name of a cause without a message', new TypeError('fetch failed', { cause: new RangeError() }), 'RangeError'],
    ['the message of an error without a cause', new TypeError('unknown scheme'), 'unknown scheme'],
    ['what was thrown, if it is no error', 'offline', 'offline'],
  ])('rejects with %s as the reason of a failed request', async (_, thrown, reason) => {
    vi.stubGlobal('fetch', () => Promise.reject(thrown))
    onTestFinished(() => void vi.unstubAllGlobals())
    await expect(pushMetrics(meters(), { url: 'http://127.0.0.1:1', job: 'i' })).rejects.toThrow(
      expect.objectContaining({ message: `Pushgateway http://127.0.0.1:1: request failed: ${reason}`, cause: thrown }),
    )
  })

  it.each([
    [{ job: '' }, 'job: expected a non-empty string, received ""'],
    [{ job: undefined }, 'job: expected a string, received undefined'],
    [{ job: 'i', grouping: { 'a/b': 'c' } }, 'grouping: expected label names other than job, received "a/b"'],
    [{ job: 'i', grouping: { job: 'c' } }, 'grouping: expected label names other than job, received "job"'],
    [{ job: 'i', grouping: { '-a': 'c' } }, 'grouping: expected label names other than job, received "-a"'],
    [{ job: 'i', grouping: { 'a-': 'c' } }, 'grouping: expected label names other than job, received "a-"'],
    [{ job: 'i', timeout: 'soon' }, 'timeout: expected a duration such as "5s", received "soon"'],
    [{ job: 'i', token: 'x' }, 'pushMetrics: unknown option "token"; write headers: { Authorization: "Bearer …" }'],
    [{ job: 'i', grouping: { shard: 5 } }, 'grouping.shard: expected a string, received a number'],
    [{ job: 'i', mode: 'merge' }, 'mode: expected "replace" or "add", received "merge"'],
    [
      { job: 'i', url: 'pushgateway:9091' },
      'url: expected an address such as http://pushgateway:9091, received "pushgateway:9091"',
    ],
    [{ job: 'i', url: undefined }, 'url: expected an address such as http://pushgateway:9091, received undefined'],
    ...['me:secret', 'me', ':secret'].map((credential): [object, string] => [
      { job: 'i', url: `http://${credential}@127.0.0.1:1` },
      'url: expected no user name and password; use headers with an Authorization instead',
    ]),
  ])('rejects %j', async (options, message) => {
    const wrong = { url: 'http://127.0.0.1:1', ...options } as PushOptions
    await expect(pushMetrics(meters(), wrong)).rejects.toThrow(message)
  })
})

describe('deletePushedMetrics', () => {
  it('sends DELETE to the group, without content', async () => {
    const { url, received } = await receive(202)
    await deletePushedMetrics({ url, job: 'import', grouping: { shard: '1' }, headers: { Authorization: 'Bearer x' } })
    expect(received).toEqual([
      { method: 'DELETE', path: '/metrics/job/import/shard/1', type: undefined, authorization: 'Bearer x', body: '' },
    ])
  })

  it('rejects if it is refused', async () => {
    const { url } = await receive(403, 'no')
    await expect(deletePushedMetrics({ url, job: 'import' })).rejects.toThrow(
      new Error(`Pushgateway ${url}: DELETE was refused with 403: no`),
    )
  })

  it.each([
    [{ mode: 'add' }, 'deletePushedMetrics: unknown option "mode"; expected url, job, grouping, headers, timeout'],
    [{ labels: {} }, 'deletePushedMetrics: unknown option "labels"; did you mean "grouping"?'],
  ])('rejects %j', async (options, message) => {
    const wrong = { url: 'http://127.0.0.1:1', job: 'i', ...options }
    await expect(deletePushedMetrics(wrong)).rejects.toThrow(message)
  })
})
