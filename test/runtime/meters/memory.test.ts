import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bindMemoryMeters } from '../../../src/runtime/meters/memory.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

const spaces = getHeapSpaceStatistics().map(({ space_name }) => `area=heap,id=${space_name}`)
const outside = ['area=nonheap,id=external', 'area=nonheap,id=array_buffers']
const onLinux = existsSync('/proc/self/status')
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('bindMemoryMeters', () => {
  it('measures each heap space, and memory outside the heap', () => {
    const { gauges } = bindRuntimeMeters(bindMemoryMeters)
    for (const name of ['jvm.memory.used', 'jvm.memory.committed', 'jvm.memory.max']) {
      expect(Object.keys(gauges(name)).sort()).toEqual([...spaces, ...outside].sort())
    }
  })

  it('has no more used than committed', () => {
    const { gauges } = bindRuntimeMeters(bindMemoryMeters)
    const [used, committed] = ['used', 'committed'].map((name) => gauges(`jvm.memory.${name}`))
    for (const [tags, value] of Object.entries(used ?? {})) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(committed?.[tags] ?? 0)
    }
    const heap = sum(spaces.map((tags) => used?.[tags] ?? Number.NaN))
    expect(heap).toBeGreaterThan(1_000_000)
    expect(heap).toBeLessThan(getHeapStatistics().heap_size_limit)
  })

  it('reports the limit of an area for one of its pools, and -1 for the others', () => {
    const { gauges } = bindRuntimeMeters(bindMemoryMeters)
    const limited = Object.entries(gauges('jvm.memory.max')).filter(([, max]) => max !== -1)
    const { heap_size_limit } = getHeapStatistics()
    const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
    expect(Object.fromEntries(limited)).toEqual({
      'area=heap,id=old_space': heap_size_limit,
      'area=nonheap,id=external': memory,
    })
  })

  it.each([
    [0, totalmem()],
    [2 ** 64, totalmem()],
    [64 * 1_048_576, 64 * 1_048_576],
  ])('takes a limit of the container of %d bytes as %d', (limit, expected) => {
    vi.spyOn(process, 'constrainedMemory').mockReturnValue(limit)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(bindRuntimeMeters(bindMemoryMeters).gauges('jvm.memory.max')).toMatchObject({
      'area=nonheap,id=external': expected,
    })
  })

  it('counts an array buffer once', () => {
    const { gauges, clock } = bindRuntimeMeters(bindMemoryMeters)
    const before = gauges('jvm.memory.used')
    const buffer = new ArrayBuffer(64 * 1_048_576)
    clock.advance(100)
    const after = gauges('jvm.memory.used')
    const grown = (tags: string) => (after[tags] ?? 0) - (before[tags] ?? 0)
    expect(grown('area=nonheap,id=array_buffers')).toBeGreaterThanOrEqual(buffer.byteLength / 2)
    expect(grown('area=nonheap,id=external')).toBeLessThan(buffer.byteLength / 2)
  })

  it('uses bytes, and the configured prefix', () => {
    const { meters, gauges, snapshots } = bindRuntimeMeters(bindMemoryMeters, { prefix: 'nodejs.' })
    expect(meters.names()).toEqual([
      'nodejs.memory.committed',
      'nodejs.memory.max',
      'nodejs.memory.used',
      'process.memory.rss',
      ...(onLinux ? ['process.memory.swap', 'process.memory.vss'] : []),
    ])
    for (const name of meters.names()) {
      for (const { id } of snapshots(name)) expect(id.baseUnit).toBe('bytes')
    }
    const rss = gauges('process.memory.rss')[''] ?? Number.NaN
    expect(rss).toBeGreaterThan(10_000_000)
    if (!onLinux) return
    expect(gauges('process.memory.vss')['']).toBeGreaterThan(rss)
    expect(gauges('process.memory.swap')['']).toBeGreaterThanOrEqual(0)
  })
})
