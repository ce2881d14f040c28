import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Answer, Ask } from '../support/ask.ts'
import type { Subject } from './subject.ts'

const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
const plain = 'text/plain; version=0.0.4; charset=utf-8'

/** How every adapter serves the meters over a real socket: as JSON, and as a scrape that streams. */
export function metersOverHttp(subject: () => Subject): void {
  const ask = (path: string, request: Omit<Ask, 'target'> = {}) =>
    subject().ask({ ...request, target: `${subject().at}${path}` })
  const meters = () => subject().management.meters

  describe('metrics', () => {
    it('names the meters, and tells of each what its series measure, narrowed by tags', async () => {
      meters().counter('conformance.orders', { region: 'eu', result: 'a:b' }).increment(2)
      meters().counter('conformance.orders', { region: 'us', result: 'ok' }).increment(3)
      expect(JSON.parse((await ask('/metrics')).body).names).toEqual(
        expect.arrayContaining(['conformance.orders', 'jvm.memory.used', 'process.uptime']),
      )
      const { status, headers, body } = await ask('/metrics/conformance.orders')
      expect([status, headers['content-type']]).toEqual([200, 'application/json'])
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
      expect(JSON.parse(body)).toEqual({
        name: 'conformance.orders',
        measurements: [{ statistic: 'COUNT', value: 5 }],
        availableTags: [
          { tag: 'region', values: ['eu', 'us'] },
          { tag: 'result', values: ['a:b', 'ok'] },
        ],
      })
      const narrowed = await ask('/metrics/conformance.orders?tag=region:eu&tag=result:a:b')
      expect(JSON.parse(narrowed.body)).toMatchObject({ measurements: [{ value: 2 }], availableTags: [] })
    })

    it.each([
      ['/metrics/none', 404],
      ['/metrics/process.uptime?tag=region:eu', 404],
      ['/metrics/process.uptime?tag=region', 400],
    ])('%s is answered with an error document of %i', async (path, status) => {
      const answer = await ask(path)
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.body)).toMatchObject({ status, instance: (subject().at + path).split('?')[0] })
    })
  })

  describe('the scrape', () => {
    it.each([
      [undefined, plain],
      ['*/*', plain],
      ['application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', openMetrics],
    ])('streams, for who accepts %s, all series as %s', async (accept, contentType) => {
      meters().timer('conformance.work').record(0.5)
      const { status, headers, body } = await ask(
        '/prometheus',
        accept === undefined ? {} : { headers: { Accept: accept } },
      )
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': contentType,
        'transfer-encoding': 'chunked',
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Encoding',
      })
      for (const absent of ['content-length', 'content-encoding', 'etag']) expect(headers).not.toHaveProperty(absent)
      expect(body).toMatch(/^conformance_work_seconds_count \d+$/m)
      expect(body).toMatch(/^process_uptime_seconds [\d.]+$/m)
      expect(body.endsWith('# EOF\n')).toBe(contentType === openMetrics)
    })

    it('has one family on demand', async () => {
      meters().gauge('conformance.size', {}, () => 7)
      expect((await ask('/prometheus?name[]=conformance_size')).body).toBe(
        '# HELP conformance_size conformance.size\n# TYPE conformance_size gauge\nconformance_size 7\n',
      )
    })

    it('is zipped for who asks for it, and is the same', async () => {
      meters().gauge('conformance.size', {}, () => 7)
      const path = '/prometheus?name[]=conformance_size'
      const { headers, bytes } = await ask(path, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' })
      expect(headers).not.toHaveProperty('content-length')
      expect(gunzipSync(bytes).toString()).toBe((await ask(path)).body)
    })

    it.each([{}, { 'Accept-Encoding': 'gzip' }, { Accept: openMetrics }])(
      'has for HEAD with %j the fields of GET, and no content',
      async (headers) => {
        const get = await ask('/prometheus', { headers })
        const head = await ask('/prometheus', { headers, method: 'HEAD' })
        expect(head).toMatchObject({ status: 200, body: '' })
        // What says how content is framed may be left out of an answer that has none (RFC 9112 §6.1).
        expect(withoutFraming(head)).toEqual(withoutFraming(get))
      },
    )

    it.each(['', 'Accept-Encoding: gzip\r\n'])(
      'is rendered no further once the client has left (%j), and the next one is whole',
      async (field) => {
        const series = 900
        const long = 'x'.repeat(8_000)
        const families = 20
        let reads = 0
        const gauges = Array.from({ length: families * series }, (_, index) =>
          meters().gauge(`conformance.left.${index % families}`, { index, long }, () => ++reads),
        )
        try {
          await readAndLeave(subject().port, `${subject().at}/prometheus`, field)
          let before = -1
          for (let look = 0; look < 1_000 && before !== reads; look++) {
            before = reads
            for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
          }
          expect(reads).toBeGreaterThan(0)
          expect(reads).toBeLessThan(gauges.length)
          const { body } = await ask('/prometheus?name[]=conformance_left_19')
          expect(body.match(/^conformance_left_19\{/gm)).toHaveLength(series)
        } finally {
          for (const gauge of gauges) meters().remove(gauge)
        }
        expect((await ask('/health')).status).toBe(200)
      },
    )
  })
}

/** Reads the beginning of an answer and destroys the connection. */
function readAndLeave(port: number, target: string, field: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${field}\r\n`)
    })
    socket.once('data', () => socket.destroy())
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}

function withoutFraming({ headers: { date, 'transfer-encoding': framing, ...rest } }: Answer) {
  return rest
}
