import { describe, expect, it } from 'vitest'
import { vitalNames } from '../../src/console/documents.ts'
import { Sampler } from '../../src/console/vitals/vital-samples.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { endedRequest } from './ended-request.ts'

const idle = { loopUtilization: 0, cpu: 0, rss: 1e8, heapUsed: 1e7, heapTotal: 2e7, external: 0, gc: 0 }

function createSampler(loopDelay: () => number = () => 0) {
  const clock = createManualClock()
  const process = { read: () => ({ ...idle, loopDelay: loopDelay() }) }
  const sampler = new Sampler({ clock, process, active: () => 3 })
  const sampleAfter = (milliseconds: number) => {
    clock.advance(milliseconds)
    return sampler.sample()
  }
  return { clock, sampler, sampleAfter }
}

describe('Sampler', () => {
  it('divides the requests by the time since the last sample', () => {
    const { sampler, sampleAfter } = createSampler()
    for (const status of [200, 200, 404, 500]) sampler.requests.record(endedRequest({ status }))
    sampler.requests.record(endedRequest({ isAborted: true }))
    expect(sampleAfter(2_000)).toMatchObject({ requestRate: 2.5, errorRate: 1, active: 3 })
    expect(sampleAfter(1_000)).toMatchObject({ requestRate: 0, errorRate: 0, p50: null, p99: null })
  })

  it('has the quantiles of the requests since the last sample', () => {
    const { sampler, sampleAfter } = createSampler()
    for (let at = 0; at < 100; at++) sampler.requests.record(endedRequest({ seconds: at < 98 ? 0.01 : 2 }))
    const { p50, p99 } = sampleAfter(1_000)
    expect(p50).toBeCloseTo(0.01, 2)
    expect(p99).toBeCloseTo(2, 0)
  })

  it('keeps 15 minutes of seconds and 24 hours of minutes', () => {
    const { sampler, sampleAfter } = createSampler()
    for (let second = 0; second < 25 * 3_600; second++) sampleAfter(1_000)
    const seconds = sampler.seconds.read(0)
    const minutes = sampler.minutes.read(0)
    expect([seconds.times.length, seconds.step, minutes.times.length, minutes.step]).toEqual([900, 1, 1_440, 60])
    expect(seconds.times.at(-1)).toBe((seconds.times.at(-2) ?? 0) + 1_000)
    expect(minutes.times.at(-1)).toBe((minutes.times.at(-2) ?? 0) + 60_000)
  })

  it('joins the samples of a minute: rates by their mean, delays by their maximum, quantiles over all requests', () => {
    let second = 0
    const { sampler, sampleAfter } = createSampler(() => (second === 30 ? 0.7 : 0.001))
    for (second = 1; second <= 60; second++) {
      if (second === 10) for (let at = 0; at < 120; at++) sampler.requests.record(endedRequest({ seconds: 0.25 }))
      sampleAfter(1_000)
    }
    const { values } = sampler.minutes.read(0)
    expect(values.requestRate).toEqual([2])
    expect(values.loopDelay[0]).toBeCloseTo(0.7, 5)
    expect(values.p50[0]).toBeCloseTo(0.25, 1)
  })

  it('writes what was not measured as null', () => {
    const { sampler, sampleAfter } = createSampler()
    sampleAfter(1_000)
    const { values } = sampler.seconds.read(0)
    expect(Object.keys(values)).toEqual([...vitalNames])
    expect(values.p50).toEqual([null])
    expect(JSON.parse(JSON.stringify(values)).p50).toEqual([null])
  })

  it('has measured nothing before the first sample, and records nothing when it is read', () => {
    const { clock, sampler } = createSampler()
    sampler.requests.record(endedRequest())
    expect(sampler.latest).toMatchObject({ at: clock.wallTime(), requestRate: null, rss: null, loopDelay: null })
    expect(sampler.seconds.read(0).times).toEqual([])
    clock.advance(1_000)
    expect(sampler.sample().requestRate).toBe(1)
    expect(sampler.latest.requestRate).toBe(1)
  })

  it('notifies subscribers of each sample until they unsubscribe', () => {
    const { sampler, sampleAfter } = createSampler()
    const rates: (number | null)[] = []
    const unsubscribe = sampler.subscribe(({ requestRate }) => rates.push(requestRate))
    sampler.requests.record(endedRequest())
    sampleAfter(1_000)
    sampleAfter(1_000)
    unsubscribe()
    sampleAfter(1_000)
    expect(rates).toEqual([1, 0])
  })

  it('takes the same memory from the start', () => {
    const { sampler, sampleAfter } = createSampler()
    const { bytes } = sampler
    for (let second = 0; second < 2_000; second++) sampleAfter(1_000)
    expect(sampler.bytes).toBe(bytes)
  })
})
