import { closeSync, existsSync, openSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bindFileMeters, parseFileLimit } from '../../../src/runtime/meters/files.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

const isReported = existsSync('/proc/self/fd')

describe('bindFileMeters', () => {
  it(`${isReported ? 'counts open files' : 'registers no meters without support by the system'}`, () => {
    const { meters, gauges, snapshots } = bindRuntimeMeters(bindFileMeters)
    if (!isReported) {
      expect(meters.names()).toEqual([])
      return
    }
    expect(meters.names()).toEqual(['process.files.max', 'process.files.open'])
    expect(snapshots('process.files.open')[0]?.id.baseUnit).toBe('files')
    const open = () => gauges('process.files.open')[''] ?? Number.NaN
    const before = open()
    expect(before).toBeGreaterThan(2)
    const files = Array.from({ length: 500 }, () => openSync('/dev/null', 'r'))
    // Others open and close files meanwhile.
    expect(Math.abs(open() - before - 500)).toBeLessThan(50)
    for (const file of files) closeSync(file)
    expect(Math.abs(open() - before)).toBeLessThan(50)
    expect(gauges('process.files.max')['']).toBeGreaterThan(before)
  })
})

describe('parseFileLimit', () => {
  const limits = (line: string) =>
    `Limit                     Soft Limit           Hard Limit           Units\n${line}\n`
  it.each([
    ['Max open files            1024                 524288               files', 1_024],
    ['Max open files            unlimited            unlimited            files', Number.POSITIVE_INFINITY],
    ['Max processes             63304                63304                processes', Number.NaN],
  ])('returns the soft limit of %j', (line, limit) => {
    expect(parseFileLimit(limits(line))).toBe(limit)
  })
})
