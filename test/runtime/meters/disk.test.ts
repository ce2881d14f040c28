import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bindDiskMeters } from '../../../src/runtime/meters/disk.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

/** Until the first answer of the operating system is there. */
async function until(reached: () => boolean) {
  for (let turn = 0; turn < 100_000 && !reached(); turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(reached()).toBe(true)
}

describe('bindDiskMeters', () => {
  it('measures free and total bytes, by absolute path', async () => {
    const { meters, gauges, snapshots } = bindRuntimeMeters(bindDiskMeters, { path: '.' })
    const tags = `path=${resolve('.')}`
    expect(gauges('disk.total')).toEqual({ [tags]: Number.NaN })
    await until(() => !Number.isNaN(gauges('disk.total')[tags]))
    const { blocks, bsize, bfree } = statfsSync('.')
    expect(gauges('disk.total')).toEqual({ [tags]: blocks * bsize })
    expect(gauges('disk.free')[tags]).toBeGreaterThanOrEqual(0)
    expect(gauges('disk.free')[tags]).toBeLessThanOrEqual(bfree * bsize + 1_073_741_824)
    expect(meters.names()).toEqual(['disk.free', 'disk.total'])
    expect(snapshots('disk.free')[0]?.id.baseUnit).toBe('bytes')
  })

  it('is NaN for a missing folder, which is reported once per meter', async () => {
    const { gauges, diagnostics } = bindRuntimeMeters(bindDiskMeters, { path: '/no/such/folder' })
    const read = () => [gauges('disk.free'), gauges('disk.total')]
    await until(() => read() && diagnostics.length > 0)
    expect(read()).toEqual([{ 'path=/no/such/folder': Number.NaN }, { 'path=/no/such/folder': Number.NaN }])
    expect(diagnostics).toEqual([
      expect.stringContaining("The meter 'disk.free' could not be read: ENOENT"),
      expect.stringContaining("The meter 'disk.total' could not be read: ENOENT"),
    ])
  })
})
