import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { DistributionSnapshot } from '../../../src/metrics/snapshot.ts'
import { bindEventLoopMeters } from '../../../src/runtime/meters/event-loop.ts'
import { type BoundMeters, bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  return () => vi.useRealTimers()
})

/** The loop comes by this much later than due, in milliseconds. */
function comeBy({ clock }: BoundMeters, late: number) {
  clock.advance(20 + late)
  vi.advanceTimersByTime(20)
}

function delayOf({ snapshots }: BoundMeters): DistributionSnapshot {
  const [delay] = snapshots('nodejs.eventloop.delay')
  if (delay?.kind !== 'timer') throw new Error('there is no timer nodejs.eventloop.delay')
  return delay
}

describe('nodejs.eventloop.delay', () => {
  it('is how much later than due a timer fires, in seconds', () => {
    const measured = bindRuntimeMeters(bindEventLoopMeters)
    for (const late of [0, 0, 500, 250]) comeBy(measured, late)
    expect(delayOf(measured)).toMatchObject({ count: 4, max: 0.5, id: { baseUnit: 'seconds' } })
    expect(delayOf(measured).total).toBeCloseTo(0.75, 12)
  })

  it('does not count one delay again as part of the next', () => {
    const measured = bindRuntimeMeters(bindEventLoopMeters)
    comeBy(measured, 100)
    for (let index = 0; index < 9; index++) comeBy(measured, 0)
    expect(delayOf(measured).total).toBeCloseTo(0.1, 12)
  })

  it('is 0 if a timer fires slightly early', () => {
    const measured = bindRuntimeMeters(bindEventLoopMeters)
    comeBy(measured, -0.5)
    expect(delayOf(measured)).toMatchObject({ count: 1, total: 0 })
  })

  it('is the same for all readers until the window has passed', () => {
    const measured = bindRuntimeMeters(bindEventLoopMeters)
    for (let index = 0; index < 99; index++) comeBy(measured, 10)
    comeBy(measured, 900)
    const first = delayOf(measured)
    expect(delayOf(measured)).toEqual(first)
    expect(first.max).toBe(0.9)
    expect(first.percentiles?.map(({ quantile }) => quantile)).toEqual([0.5, 0.9, 0.99])
    for (const { value } of first.percentiles?.slice(0, 2) ?? []) expect(value).toBeCloseTo(0.01, 3)
    measured.clock.advance(180_000)
    expect(delayOf(measured)).toMatchObject({ count: 100, max: 0 })
  })

  it('is not measured after disposal', () => {
    const measured = bindRuntimeMeters(bindEventLoopMeters)
    comeBy(measured, 0)
    measured.dispose()
    comeBy(measured, 0)
    expect(delayOf(measured).count).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('nodejs.eventloop.utilization', () => {
  it('is the share of time that the event loop was busy', async () => {
    const { gauges, clock, snapshots } = bindRuntimeMeters(bindEventLoopMeters)
    expect(gauges('nodejs.eventloop.utilization')['']).toBeNaN()
    await new Promise((resolve) => setTimeout(resolve, 1))
    clock.advance(1_000)
    const share = gauges('nodejs.eventloop.utilization')[''] ?? Number.NaN
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThanOrEqual(1)
    expect(snapshots('nodejs.eventloop.utilization')[0]?.id.baseUnit).toBeUndefined()
  })
})
