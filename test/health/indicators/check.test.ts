import { describe, expect, it } from 'vitest'
import { createCheck } from '../../../src/health/indicators/check.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const never = new AbortController().signal

describe('createCheck', () => {
  it('is UP with the context, the response and its latency', async () => {
    const clock = createManualClock()
    const check = createCheck({
      request: async () => {
        clock.advance(1.2345)
        return { details: { brokers: 3 } }
      },
      context: () => ({ url: 'kafka:9092' }),
      clock,
    })

    expect(await check(never)).toEqual({
      status: 'UP',
      details: { url: 'kafka:9092', brokers: 3, latency: '1.23ms' },
    })
  })

  it('measures the time of the response, without later requests', async () => {
    const clock = createManualClock()
    const check = createCheck({
      request: async () => {
        clock.advance(5)
        const respondedAt = clock.monotonicTime()
        clock.advance(100)
        return { respondedAt }
      },
      clock,
    })

    expect(await check(never)).toEqual({ status: 'UP', details: { latency: '5ms' } })
  })

  it('has the status of the response', async () => {
    const check = createCheck({ request: async () => ({ status: 'OUT_OF_SERVICE' }) })

    expect(await check(never)).toMatchObject({ status: 'OUT_OF_SERVICE' })
  })

  it('is DOWN with the context and the error, without credentials', async () => {
    let failures = 0
    const check = createCheck({
      request: () => Promise.reject(new Error('connect redis://:s3cret@cache refused')),
      context: () => ({ server: 'Redis 7.0.0' }),
      onFailure: () => {
        failures++
      },
    })

    expect(await check(never)).toEqual({
      status: 'DOWN',
      details: { server: 'Redis 7.0.0', error: 'Error: connect redis://***@cache refused' },
    })
    expect(failures).toBe(1)
  })

  it('rejects with the reason of the signal rather than the error of the client', async () => {
    const controller = new AbortController()
    const reason = new Error('deadline')
    const check = createCheck({
      request: async () => {
        controller.abort(reason)
        throw new Error('request was cancelled')
      },
    })

    await expect(check(controller.signal)).rejects.toBe(reason)
  })
})
