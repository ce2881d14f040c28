import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { bindMemoryMeters } from '../../../src/runtime/meters/memory.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

const spaces = getHeapSpaceStatistics().map(({ space_name }) => `area=heap,id=${space_name}`)
const outside = ['area=nonheap,id=external', 'area=nonheap,id=array_buffers']
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('bindMemoryMeters', () => {
  it('measures each heap space, and memory outside the heap', () => {
    const { gauges } = bindRuntimeMeters(bindMemoryMeters)
    for (const name of ['jvm.memory.used', 'jvm.memory.committed']) {
      expect(Object.keys(gauges(name)).sort()).toEqual([...spaces, ...outside].sort())
    }
    expect(Object.keys(gauges('jvm.memory.max'))).toEqual(['area=heap,id=heap'])
  })

  it('has no more used than committed, and nothing above the maximum', () => {
    const { gauges } = bindRuntimeMeters(bindMemoryMeters)
    const [used, committed, max] = ['used', 'committed', 'max'].map((name) => gauges(`jvm.memory.${name}`))
    for (const [tags, value] of Object.entries(used ?? {})) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(committed?.[tags] ?? 0)
    }
    expect(Object.values(max ?? {})).toEqual([getHeapStatistics().heap_size_limit])
    const heap = sum(spaces.map((tags) => used?.[tags] ?? Number.NaN))
    expect(heap).toBeGreaterThan(1_000_000)
    expect(heap).toBeLessThan(getHeapStatistics().heap_size_limit)
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
    ])
    for (const name of meters.names()) {
      for (const { id } of snapshots(name)) expect(id.baseUnit).toBe('bytes')
    }
    expect(gauges('process.memory.rss')['']).toBeGreaterThan(10_000_000)
  })
})
