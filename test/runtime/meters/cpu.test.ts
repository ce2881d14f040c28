import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { bindCpuMeters, parseSystemTimes } from '../../../src/runtime/meters/cpu.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

/** Keeps one processor busy until the process has used this much of it, in milliseconds. */
function work(milliseconds: number) {
  const start = process.cpuUsage()
  for (let used = 0; used < milliseconds; ) {
    const { user, system } = process.cpuUsage(start)
    used = (user + system) / 1_000
  }
}

describe('bindCpuMeters', () => {
  it("has Micrometer's names and units", () => {
    const { meters, snapshots } = bindRuntimeMeters(bindCpuMeters)
    const units = meters.names().map((name) => [name, snapshots(name)[0]?.id.baseUnit])
    expect(units).toEqual([
      ['process.cpu.time', 'ns'],
      ['process.cpu.usage', undefined],
      ['system.cpu.count', undefined],
      ['system.cpu.usage', undefined],
      ['system.load.average.1m', undefined],
    ])
  })

  it('counts the processor time of the process in nanoseconds', () => {
    const { gauges } = bindRuntimeMeters(bindCpuMeters)
    const before = process.cpuUsage()
    const time = gauges('process.cpu.time')[''] ?? Number.NaN
    const after = process.cpuUsage()
    expect(time).toBeGreaterThanOrEqual((before.user + before.system) * 1_000)
    expect(time).toBeLessThanOrEqual((after.user + after.system) * 1_000)
  })

  it('measures the share that the process used since its start, at the first reading', () => {
    const { gauges } = bindRuntimeMeters(bindCpuMeters)
    const share = gauges('process.cpu.usage')[''] ?? Number.NaN
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThanOrEqual(1)
  })

  it('measures the share of all processors that the process used since the previous reading', () => {
    const { gauges, clock } = bindRuntimeMeters(bindCpuMeters)
    const before = gauges('process.cpu.usage')['']
    work(100)
    expect(gauges('process.cpu.usage')['']).toBe(before)
    clock.advance(1_000)
    const share = gauges('process.cpu.usage')[''] ?? Number.NaN
    expect(share).toBeGreaterThanOrEqual(0.1 / availableParallelism())
    expect(share).toBeLessThan(1)
  })

  it('measures the share that the whole system used', () => {
    const { gauges, clock } = bindRuntimeMeters(bindCpuMeters)
    expect(gauges('system.cpu.usage')['']).toBeNaN()
    work(100)
    clock.advance(1_000)
    const share = gauges('system.cpu.usage')[''] ?? Number.NaN
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThanOrEqual(1)
  })

  it('measures the number of processors, and the load', () => {
    const { gauges } = bindRuntimeMeters(bindCpuMeters)
    expect(gauges('system.cpu.count')).toEqual({ '': availableParallelism() })
    expect(gauges('system.load.average.1m')['']).toBeGreaterThanOrEqual(0)
  })
})

describe('parseSystemTimes', () => {
  it.each([
    ['the times of Linux 2.6 and later', 'cpu  10 2 3 100 50 1 4 5 6 1\ncpu0 1 1 1 1 1 1 1 1 1 1\n', 25, 175],
    ['the times of Linux 2.4', 'cpu  10 2 3 100\ncpu0 1 1 1 1\n', 15, 115],
  ])('sums %s, and counts waiting for a disk as idle', (_name, text, part, whole) => {
    expect(parseSystemTimes(text)).toEqual({ part, whole })
  })

  it.each(['', 'intr 1 2 3', 'cpu0 1 1 1 1'])('returns NaN for %j', (text) => {
    expect(parseSystemTimes(text)).toEqual({ part: Number.NaN, whole: Number.NaN })
  })
})
