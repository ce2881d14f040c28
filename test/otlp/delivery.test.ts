import { createManagement, type Management, traced } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { startTelemetry, type TelemetryOptions } from 'upkeep/otlp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { useFakeTime } from '../support/fake-time.ts'
import { passTimeUntil } from '../support/otlp/pass-time.ts'
import { type OtlpReceiver, type Reply, startReceiver } from '../support/otlp/receiver.ts'
import { exporters } from '../support/otlp/telemetry.ts'

interface Started {
  readonly receiver: OtlpReceiver
  readonly management: Management
  readonly telemetry: Awaited<ReturnType<typeof startTelemetry>>
  readonly reports: unknown[][]
}

const clock = useFakeTime()

describe.each(exporters)('with the exporter %s:', (exporter) => {
  async function start(
    options: (url: string) => Partial<TelemetryOptions>,
    ...replies: readonly Reply[]
  ): Promise<Started> {
    const receiver = await startReceiver()
    onTestFinished(receiver.dispose)
    receiver.respondWith(...replies)
    const management = createManagement({ metrics: { runtime: false } })
    onTestFinished(() => management.close())
    const reports: unknown[][] = []
    const report = (...reported: unknown[]) => void reports.push(reported.filter((part) => part !== undefined))
    const telemetry = await startTelemetry({
      ...{ management, exporter, clock, url: receiver.url, report, timeout: '20s', flushTimeout: '20s' },
      ...options(receiver.url),
    })
    onTestFinished(() => telemetry.shutdown())
    return { receiver, management, telemetry, reports }
  }

  const spansAlone = () => ({ metrics: false }) as const
  const metricsAlone = () => ({ tracing: false }) as const

  describe('telemetry.flush()', () => {
    it('resolves when pending spans have arrived', async () => {
      const { receiver, telemetry } = await start(() => ({ metrics: false, tracing: { delay: '1ms' } }), 'hold')
      traced('work', () => {})
      await passTimeUntil(receiver.arrived(1))
      let isFlushed = false
      const flushed = telemetry.flush().then(() => {
        isFlushed = true
      })
      await vi.advanceTimersByTimeAsync(1_000)
      expect(isFlushed).toBe(false)
      receiver.release()
      await flushed
    })
  })

  describe('telemetry.shutdown()', () => {
    it.each([
      ['spans', spansAlone],
      ['data points', metricsAlone],
    ])('retries an export of %s within the remaining time', async (_, options) => {
      const retryLater = { status: 503, headers: { 'Retry-After': '1' } }
      const { receiver, management, telemetry, reports } = await start(options, retryLater)
      management.meters.counter('orders').increment()
      traced('work', () => {})
      const flushed = telemetry.flush()
      await receiver.arrived(1)
      await passTimeUntil(telemetry.shutdown())
      await flushed
      expect(receiver.exports[1]?.taken).toBe(true)
      expect(reports).toEqual([])
    })
  })

  describe('the report of a failed export', () => {
    /** `google.rpc.Status` with a message. */
    const status = (message: string) => Buffer.concat([Buffer.from([0x12, message.length]), Buffer.from(message)])
    const protobuf = { 'Content-Type': 'application/x-protobuf' }
    const reasonOf = async (reply: Reply, options: (url: string) => Partial<TelemetryOptions> = spansAlone) => {
      const { telemetry, reports, receiver } = await start(options, reply)
      traced('work', () => {})
      await telemetry.shutdown()
      expect(reports).toHaveLength(1)
      // One line, and no cause whose stack would be more of them.
      expect(reports[0]).toHaveLength(1)
      return String(reports[0]?.[0]).replaceAll(receiver.url, 'http://collector')
    }
    const failed = 'otlp: failed to export 1 span to http://collector/v1/traces: '

    it.each([
      ['a status in Protocol Buffers', { status: 400, headers: protobuf, body: status('bad span') }, '400 bad span'],
      [
        'JSON',
        { status: 500, headers: { 'Content-Type': 'application/json' }, body: '{"message":"no room"}' },
        '500 no room',
      ],
      [
        'text of several lines',
        { status: 401, headers: { 'Content-Type': 'text/plain' }, body: 'no\r\n\ttoken\n' },
        '401 no token',
      ],
      [
        'a page',
        { status: 403, headers: { 'Content-Type': 'text/html' }, body: '<html><title>403 Forbidden</title>' },
        '403 403 Forbidden',
      ],
      ['nothing', { status: 500 }, '500'],
      ['nonsense', { status: 500, headers: protobuf, body: 'oops' }, '500'],
    ])('includes the response of type %s, with the URL', async (_, reply, reason) => {
      expect(await reasonOf(reply)).toBe(failed + reason)
    })

    it('is limited to 300 characters of the response', async () => {
      const reply = { status: 500, headers: { 'Content-Type': 'text/plain' }, body: 'word '.repeat(100_000) }
      expect((await reasonOf(reply)).length).toBeLessThan(failed.length + 310)
    })

    it('does not include credentials of the URL, the header fields or the response', async () => {
      const reply = {
        status: 401,
        headers: { 'Content-Type': 'text/plain' },
        body: 'unknown abcdef123456 (password=hunter2)',
      }
      const url = (base: string) => `${base.replace('//', '//me:secret@')}/t0kens/x9f8e7/v1/traces?api_key=abc`
      const report = await reasonOf(reply, (base) => ({
        metrics: false,
        tracing: { url: url(base), headers: { Authorization: 'Bearer abcdef123456' } },
      }))
      expect(report).toBe(
        'otlp: failed to export 1 span to http://collector/REDACTED/REDACTED/v1/traces: 401 unknown *** (password=***',
      )
    })

    it.each([404, 405])('suggests the path of the signal for %i from a URL without it', async (status) => {
      const report = await reasonOf({ status }, (url) => ({ metrics: false, tracing: { url } }))
      expect(report).toBe(
        `otlp: failed to export 1 span to http://collector/: ${status}; ` +
          'the URL of a signal is used unchanged: did you mean http://collector/v1/traces?',
      )
    })

    it('includes a URL that cannot be reached', async () => {
      const { telemetry, reports } = await start(() => ({
        ...spansAlone(),
        url: 'http://127.0.0.1:1',
      }))
      traced('work', () => {})
      await passTimeUntil(telemetry.shutdown())
      expect(reports.at(-1)).toEqual([
        'otlp: failed to export 1 span to http://127.0.0.1:1/v1/traces: receiver unreachable (ECONNREFUSED)',
      ])
    })

    it('is not repeated at shutdown for data points that arrived with a later export', async () => {
      const refused = { status: 500 }
      const { telemetry, reports, management } = await start(metricsAlone, refused, refused, refused)
      management.meters.counter('orders').increment()
      for (let count = 0; count < 3; count += 1) await telemetry.flush()
      await telemetry.shutdown()
      expect(reports).toHaveLength(1)
    })

    it('is also made for a warning', async () => {
      const report = await reasonOf({ rejected: 0, message: 'just a warning' })
      expect(report).toBe('otlp: http://collector/v1/traces accepted spans with a warning: just a warning')
    })
  })

  describe("the exporters' own requests", () => {
    it.each([
      ['with traces and metrics', () => ({})],
      ['without traces', metricsAlone],
      ['with a configured user agent', () => ({ tracing: false, headers: { 'User-Agent': 'mine' } }) as const],
    ])('are neither traced nor timed %s', async (_, options) => {
      const { receiver, management, telemetry } = await start(options)
      instrument(management)
      management.meters.counter('orders').increment()
      for (let count = 0; count < 3; count += 1) await telemetry.flush()
      await telemetry.shutdown()
      expect(receiver.exports.length).toBeGreaterThan(2)
      const names = receiver.exports.flatMap(({ metrics }) => metrics.map(({ name }) => name))
      expect(names).not.toContain('http.client.requests')
      expect([...management.meters.snapshot('http.client.requests')]).toEqual([])
      expect(receiver.exports.flatMap(({ spans }) => spans)).toEqual([])
    })
  })

  describe('startTelemetry with one half of a client certificate', () => {
    it.each([
      [
        'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
        'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY or OTEL_EXPORTER_OTLP_CLIENT_KEY',
      ],
      [
        'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY',
        'OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE or OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
      ],
    ])('rejects %s alone', async (name, others) => {
      process.env[name] = '/tmp/file.pem'
      onTestFinished(() => void delete process.env[name])
      const management = createManagement({ metrics: { runtime: false } })
      onTestFinished(() => management.close())
      await expect(startTelemetry({ management, metrics: false, logs: false })).rejects.toThrow(
        new TypeError(`startTelemetry: ${name} requires ${others}`),
      )
    })
  })
})
