import { describe, expect, it, vi } from 'vitest'
import { useFakeTime } from '../support/fake-time.ts'
import { passTimeUntil } from '../support/otlp/pass-time.ts'
import type { OtlpReceiver } from '../support/otlp/receiver.ts'
import { useTelemetry } from '../support/otlp/telemetry.ts'

const clock = useFakeTime()
const start = useTelemetry('upkeep', { clock, schedule: 'flush', timeout: '1m', flushTimeout: '10s' })

const spansIn = ({ exports }: OtlpReceiver) =>
  exports.filter(({ taken }) => taken).flatMap(({ spans }) => spans.map(({ name }) => name))

describe("with schedule: 'flush'", () => {
  it('spans and counts are sent by a flush only', async () => {
    const { receiver, telemetry, meters, trace } = await start({ metrics: { step: '1s' }, tracing: { delay: '1s' } })
    meters.counter('orders').increment()
    trace(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(vi.getTimerCount()).toBe(0)
    expect(receiver.exports).toEqual([])
    await telemetry.flush()
    expect(receiver.exports.map(({ path }) => path).sort()).toEqual(['/v1/metrics', '/v1/traces'])
    expect(spansIn(receiver)).toEqual(['span 0', 'span 1'])
  })

  it('a response is awaited until shortly before the time of a flush has passed', async () => {
    const { receiver, telemetry, trace, count } = await start({ metrics: false })
    receiver.respondWith('hold')
    trace(1)
    const flushed = telemetry.flush('10s')
    await receiver.arrived(1)
    await vi.advanceTimersByTimeAsync(9_900)
    receiver.release()
    await flushed
    expect(spansIn(receiver)).toEqual(['span 0'])
    expect(count('exported', 'traces')).toBe(1)
  })

  it.each(['10s', '100ms'] as const)('nothing is sent after a flush of %s, and no timer is left', async (timeout) => {
    const { receiver, telemetry, trace, count } = await start({ metrics: false })
    receiver.respondWith('hang')
    trace(1)
    const flushed = telemetry.flush(timeout)
    await receiver.arrived(1)
    await passTimeUntil(flushed)
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(receiver.exports).toHaveLength(1)
    expect(count('failed', 'traces')).toBe(0)
    await telemetry.flush()
    expect(spansIn(receiver)).toEqual(['span 0'])
    expect([count('exported', 'traces'), count('failed', 'traces')]).toEqual([1, 0])
  })

  it('the time of a flush is that of flushTimeout by default', async () => {
    const { receiver, telemetry, trace } = await start({ metrics: false, flushTimeout: '5s' })
    receiver.respondWith('hang')
    trace(1)
    const began = clock.monotonicTime()
    const flushed = telemetry.flush()
    await receiver.arrived(1)
    await passTimeUntil(flushed)
    expect(clock.monotonicTime() - began).toBe(5_000)
  })
})
