import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { bindCpuMeters, parseSystemTimes } from '../../../src/runtime/meters/cpu.ts'
import { measure } from '../../support/runtime-measuring.ts'

/** Keeps one processor busy until the process has used this much of it, in milliseconds. */
function work(milliseconds: number) {
  const start = process.cpuUsage()
  for (let used = 0; used < milliseconds; ) {
    const { user, system } = process.cpuUsage(start)
    used = (user + system) / 1_000
  }
}

describe('the meters of the processors', () => {
  it('are called as Micrometer calls them, without a unit', () => {
    const { meters, snapshots } = measure(bindCpuMeters)
    const names = ['process.cpu.usage', 'system.cpu.count', 'system.cpu.usage', 'system.load.average.1m']
    expect(meters.names()).toEqual(names)
    for (const name of names) expect(snapshots(name)[0]?.id.baseUnit).toBeUndefined()
  })

  it('tell the share of all processors that the process used since the reading before', () => {
    const { gauges, clock } = measure(bindCpuMeters)
    expect(gauges('process.cpu.usage')['']).toBeNaN()
    work(100)
    clock.advance(1_000)
    const share = gauges('process.cpu.usage')[''] ?? Number.NaN
    expect(share).toBeGreaterThanOrEqual(0.1 / availableParallelism())
    expect(share).toBeLessThan(1)
  })

  it('tell the share that the whole system used', () => {
    const { gauges, clock } = measure(bindCpuMeters)
    expect(gauges('system.cpu.usage')['']).toBeNaN()
    work(100)
    clock.advance(1_000)
    const share = gauges('system.cpu.usage')[''] ?? Number.NaN
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThanOrEqual(1)
  })

  it('tell how many there are, and how many tasks want them', () => {
    const { gauges } = measure(bindCpuMeters)
    expect(gauges('system.cpu.count')).toEqual({ '': availableParallelism() })
    expect(gauges('system.load.average.1m')['']).toBeGreaterThanOrEqual(0)
  })
})

describe('the times of /proc/stat', () => {
  it.each([
    ['those of Linux today', 'cpu  10 2 3 100 50 1 4 5 6 1\ncpu0 1 1 1 1 1 1 1 1 1 1\n', 25, 175],
    ['those of Linux 2.4', 'cpu  10 2 3 100\ncpu0 1 1 1 1\n', 15, 115],
  ])('%s are summed, and waiting for a disk is no use', (_name, text, part, whole) => {
    expect(parseSystemTimes(text)).toEqual({ part, whole })
  })

  it.each(['', 'intr 1 2 3', 'cpu0 1 1 1 1'])('%j tells nothing', (text) => {
    expect(parseSystemTimes(text)).toEqual({ part: Number.NaN, whole: Number.NaN })
  })
})
