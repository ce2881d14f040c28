import { describe, expect, it } from 'vitest'
import { useFakeTime } from '../support/fake-time.ts'
import { freePort } from '../support/free-port.ts'
import { passTimeUntil } from '../support/otlp/pass-time.ts'
import type { Reply } from '../support/otlp/receiver.ts'
import { exporters, useTelemetry } from '../support/otlp/telemetry.ts'

const again = { 'Retry-After': '0' }
const muchLater = { 'Retry-After': '3600' }

const clock = useFakeTime()

describe.each(exporters)('with the exporter %s:', (exporter) => {
  const start = useTelemetry(exporter, { clock })

  describe('a retryable failure', () => {
    it.each<readonly [string, readonly Reply[]]>([
      ['is asked to wait by a 429', [{ status: 429, headers: again }]],
      [
        'is asked to wait by a 503, twice',
        [
          { status: 503, headers: again },
          { status: 503, headers: again },
        ],
      ],
      [
        'is asked to wait until a date that is past',
        [{ status: 503, headers: { 'Retry-After': new Date(0).toUTCString() } }],
      ],
      ['gets a 503 without a time', [{ status: 503 }]],
      ['gets a 502', [{ status: 502, headers: again }]],
      ['gets a 504', [{ status: 504, headers: again }]],
      ['has its connection reset', ['reset']],
    ])('does not lose data if the receiver recovers in time: %s', async (_, replies) => {
      const { receiver, telemetry, trace, count, reported } = await start({
        metrics: false,
      })
      receiver.respondWith(...replies)
      trace(3)
      await passTimeUntil(telemetry.flush())
      expect(receiver.exports.filter(({ taken }) => taken).flatMap(({ spans }) => spans)).toHaveLength(3)
      expect(receiver.exports).toHaveLength(replies.length + 1)
      expect([count('exported', 'traces'), count('failed', 'traces')]).toEqual([3, 0])
      expect(count('repeated', 'traces')).toBe(replies.length)
      expect(reported).toEqual([])
    })
  })

  describe('a final failure', () => {
    it.each<readonly [Reply, string]>([
      [{ status: 400 }, '400'],
      [{ status: 401 }, '401'],
      [{ status: 404 }, '404'],
      [{ status: 500 }, '500'],
      [{ status: 302, headers: { Location: 'http://127.0.0.1:1/' } }, '302'],
    ])('is counted and reported after %j', async (reply, reason) => {
      const { receiver, telemetry, trace, count, reported } = await start({ metrics: false })
      receiver.respondWith(reply)
      trace(2)
      await telemetry.flush()
      expect(receiver.exports).toHaveLength(1)
      expect([count('exported', 'traces'), count('failed', 'traces')]).toEqual([0, 2])
      expect(reported).toEqual([`otlp: failed to export 2 spans to ${receiver.url}/v1/traces: ${reason}`])
    })

    it('is reported once, and the rest at the end', async () => {
      const { receiver, telemetry, trace, reported } = await start({ metrics: false })
      receiver.respondWith({ status: 400 }, { status: 400 }, { status: 500 })
      for (const spans of [1, 2, 3]) {
        trace(spans)
        await telemetry.flush()
      }
      await telemetry.shutdown()
      expect(reported).toEqual([
        `otlp: failed to export 1 span to ${receiver.url}/v1/traces: 400`,
        `otlp: failed to export 5 spans to ${receiver.url}/v1/traces: 500`,
      ])
    })
  })

  describe('a slow receiver', () => {
    it('does not block new spans', async () => {
      const { receiver, telemetry, trace, count, reported } = await start({
        metrics: false,
        tracing: { maximumBatchSize: 2 },
      })
      receiver.respondWith('hold', 'hold')
      trace(2)
      await receiver.arrived(1)
      trace(5)
      const flushed = telemetry.flush()
      expect(count('exported', 'traces')).toBe(0)
      receiver.release()
      await receiver.arrived(2)
      receiver.release()
      await flushed
      expect(receiver.exports.map(({ spans }) => spans.length)).toEqual([2, 2, 2, 1])
      expect(count('exported', 'traces')).toBe(7)
      expect(reported).toEqual([])
    })
  })

  describe('a partial success', () => {
    it.each([
      ['traces', 'spans'],
      ['metrics', 'data points'],
    ])('is counted by the response: %s', async (signal, items) => {
      const { receiver, telemetry, trace, count, reported, meters } = await start(
        signal === 'traces' ? { metrics: false } : { tracing: false },
      )
      meters.counter('orders.placed').increment()
      receiver.respondWith({ rejected: 2, message: 'too old' })
      trace(5)
      await telemetry.flush()
      expect(receiver.exports).toHaveLength(1)
      const points = receiver.exports.flatMap(({ metrics }) => metrics).length
      expect(count('rejected', signal)).toBe(2)
      expect(count('failed', signal)).toBe(0)
      if (signal === 'traces') expect(count('exported', signal)).toBe(3)
      else expect(count('exported', signal)).toBeGreaterThanOrEqual(points - 2)
      expect(reported).toEqual([expect.stringMatching(`^otlp: ${receiver.url}/v1/\\w+ rejected 2 ${items}: too old$`)])
    })

    it('counts as a success if the response breaks off after its head', async () => {
      const { receiver, telemetry, trace, count } = await start({ metrics: false })
      receiver.respondWith('hang after head')
      trace(2)
      await passTimeUntil(telemetry.flush())
      expect([count('exported', 'traces'), count('failed', 'traces')]).toEqual([2, 0])
    })
  })

  describe('a full queue', () => {
    it('drops, counts and reports new spans, and loses no queued or pending ones', async () => {
      const { receiver, telemetry, trace, count, meters, reported } = await start({
        metrics: false,
        tracing: { maximumQueueSize: 100, maximumBatchSize: 1 },
      })
      trace(150)
      // Of spans, and of log records.
      const waiting = () => [...meters.snapshot('otlp.queue.size')].map((one) => one.kind === 'gauge' && one.value)
      // OpenTelemetry's processor exports in the turn of the span that completes a batch, which is then not in the queue.
      const exported = exporter === 'upkeep' ? 100 : 101
      expect(waiting()).toEqual([100, 0])
      await telemetry.flush()
      expect(waiting()).toEqual([0, 0])
      expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(exported)
      expect([count('exported', 'traces'), count('dropped', 'traces')]).toEqual([exported, 150 - exported])
      expect(reported).toEqual([
        expect.stringMatching(
          new RegExp(`^otlp: dropped ${150 - exported} spans for .*: the queue is full \\(100 spans\\)$`),
        ),
      ])
    })
  })

  describe('shutdown', () => {
    it('sends all pending data', async () => {
      const { receiver, telemetry, trace, meters, count } = await start()
      meters.counter('orders.placed').increment(7)
      trace(2)
      await telemetry.shutdown()
      expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(2)
      expect(receiver.exports.flatMap(({ metrics }) => metrics).map(({ name }) => name)).toContain('orders.placed')
      trace(1)
      expect(count('exported', 'traces')).toBe(2)
    })

    it('stops at its timeout, and counts the lost data', async () => {
      const { receiver, telemetry, trace, meters, count, reported } = await start({
        timeout: '60s',
        flushTimeout: '10s',
      })
      receiver.respondWith('hang', 'hang')
      meters.counter('orders.placed').increment()
      trace(2)
      await passTimeUntil(telemetry.shutdown())
      expect(count('failed', 'traces')).toBe(2)
      expect(count('failed', 'metrics')).toBeGreaterThan(0)
      expect(reported.join()).toContain('aborted before the receiver responded')
    })

    it('stops when the signal of a hook aborts', async () => {
      const { receiver, telemetry, trace, count } = await start({ timeout: '60s', flushTimeout: '60s', metrics: false })
      receiver.respondWith('hang')
      trace(2)
      const deadline = new AbortController()
      const ended = telemetry.run(deadline.signal)
      await receiver.arrived(1)
      deadline.abort()
      await ended
      expect(count('failed', 'traces')).toBe(2)
    })

    it('cancels a request that has no connection yet', async () => {
      const { receiver, telemetry, trace, count } = await start({ timeout: '1h', flushTimeout: '1h' })
      receiver.respondWith('hang', 'hang')
      trace(2)
      await telemetry.run(AbortSignal.abort())
      expect(count('failed', 'traces')).toBe(2)
    })

    it('resolves immediately if a retry is far off', async () => {
      const { receiver, telemetry, trace, count } = await start({
        timeout: '60s',
        flushTimeout: '10s',
        metrics: false,
      })
      receiver.respondWith({ status: 503, headers: { 'Retry-After': '50' } })
      trace(2)
      await passTimeUntil(telemetry.shutdown())
      expect(count('failed', 'traces')).toBe(2)
    })

    it('has no further effect when called again, nor has a flush after it', async () => {
      const { receiver, telemetry, trace } = await start()
      trace()
      await Promise.all([telemetry.shutdown(), telemetry.shutdown()])
      await telemetry.flush()
      expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(1)
    })
  })
})

describe('with OpenTelemetry, a receiver that does not recover in time', () => {
  const start = useTelemetry('opentelemetry', { clock })

  it.each<readonly [Reply, string]>([
    [{ status: 429, headers: muchLater }, '429 (Retry-After: 3600 s)'],
    [{ status: 503, headers: muchLater }, '503 (Retry-After: 3600 s)'],
    ['hang', 'no response in time'],
  ])('loses spans after %j, which are counted and reported', async (reply, reason) => {
    const { receiver, telemetry, trace, count, reported } = await start({ metrics: false })
    receiver.respondWith(reply)
    trace(2)
    await passTimeUntil(telemetry.flush())
    expect(receiver.exports).toHaveLength(1)
    expect([count('exported', 'traces'), count('failed', 'traces')]).toEqual([0, 2])
    expect(reported).toEqual([`otlp: failed to export 2 spans to ${receiver.url}/v1/traces: ${reason}`])
  })

  it('loses spans if it is unreachable, which are counted and reported', async () => {
    const { telemetry, trace, count, reported } = await start({
      metrics: false,
      url: `http://127.0.0.1:${await freePort()}`,
    })
    trace(2)
    await passTimeUntil(telemetry.flush())
    expect([count('exported', 'traces'), count('failed', 'traces')]).toEqual([0, 2])
    expect(reported).toEqual([
      expect.stringMatching(/^otlp: failed to export 2 spans to .*: receiver unreachable \(ECONNREFUSED\)$/),
    ])
  })

  it('does not block later exports', async () => {
    const { receiver, telemetry, trace, count } = await start({ metrics: false })
    receiver.respondWith('hang', { status: 500 })
    for (let export_ = 0; export_ < 3; export_ += 1) {
      trace()
      await passTimeUntil(telemetry.flush())
    }
    expect([count('failed', 'traces'), count('exported', 'traces')]).toEqual([2, 1])
  })
})

describe('with upkeep, a receiver that is away', () => {
  const start = useTelemetry('upkeep', { clock })

  it.each<readonly [Reply]>([
    ['hang'],
    ['reset'],
    [{ status: 503 }],
    [{ status: 429, headers: { 'Retry-After': '1' } }],
  ])('gets all spans when it is back, after %j, and none are reported as lost', async (reply) => {
    const { receiver, telemetry, trace, count, reported } = await start({ metrics: false, flushTimeout: '5m' })
    receiver.respondWith(reply, reply)
    for (let batch = 0; batch < 3; batch += 1) {
      trace(2)
      void telemetry.flush()
    }
    await passTimeUntil(telemetry.flush())
    const taken = receiver.exports.filter(({ taken: isTaken }) => isTaken).flatMap(({ spans }) => spans)
    expect(taken).toHaveLength(6)
    expect([count('exported', 'traces'), count('failed', 'traces'), count('dropped', 'traces')]).toEqual([6, 0, 0])
    expect(reported.filter((report) => !report.includes('are queued until it accepts them'))).toEqual([])
  })

  it('gets data points once the next step begins, of counts that are not lost', async () => {
    const { receiver, telemetry, meters, count } = await start({ tracing: false })
    receiver.respondWith('hang')
    meters.counter('orders').increment(2)
    await passTimeUntil(telemetry.flush())
    expect(count('failed', 'metrics')).toBeGreaterThan(0)
    await passTimeUntil(telemetry.flush())
    const orders = receiver.exports.at(-1)?.metrics.find(({ name }) => name === 'orders')
    expect(orders?.sum?.dataPoints[0]?.['asDouble']).toBe(2)
  })

  it('is sent the newest spans that fit into the bytes of the queue; the oldest are counted and reported', async () => {
    const { receiver, telemetry, trace, count, meters, reported } = await start({
      metrics: false,
      timeout: '20s',
      tracing: { maximumQueueBytes: 20_000, maximumBatchSize: 10 },
    })
    receiver.respondWith('hold')
    for (let batch = 0; batch < 40; batch += 1) {
      trace(10)
      await new Promise((resolve) => void setImmediate(resolve))
    }
    const waiting = [...meters.snapshot('otlp.queue.size')].map((one) => one.kind === 'gauge' && one.value)[0]
    expect(waiting).toBeLessThan(300)
    await receiver.arrived(1)
    receiver.release()
    await telemetry.flush()
    const [exported, dropped] = [count('exported', 'traces'), count('dropped', 'traces')]
    expect(exported + dropped).toBe(400)
    expect(exported).toBe(waiting)
    expect(dropped).toBeGreaterThan(100)
    expect(reported[0]).toMatch(/^otlp: dropped \d+ spans for .*: the queue is full \(20000 bytes\)$/)
  })

  it('is told about once in a minute', async () => {
    const { telemetry, trace, count, reported, receiver } = await start({
      metrics: false,
      url: `http://127.0.0.1:${await freePort()}`,
    })
    trace(2)
    await passTimeUntil(telemetry.flush())
    expect(receiver.exports).toEqual([])
    expect(reported).toEqual([
      expect.stringMatching(
        /^otlp: spans for .* are queued until it accepts them: receiver unreachable \(ECONNREFUSED\)$/,
      ),
    ])
    await passTimeUntil(telemetry.shutdown())
    expect([count('exported', 'traces'), count('failed', 'traces')]).toEqual([0, 2])
    expect(reported.at(-1)).toMatch(/^otlp: failed to export 2 spans to .*: receiver unreachable \(ECONNREFUSED\)$/)
  })
})
