import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bindHandleMeters, bindUptimeMeters } from '../../../src/runtime/meters/process.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

describe('bindUptimeMeters', () => {
  it('measures how long the process has run, in seconds', () => {
    const { meters, gauges, snapshots } = bindRuntimeMeters(bindUptimeMeters)
    const before = process.uptime()
    const uptime = gauges('process.uptime')[''] ?? Number.NaN
    expect(uptime).toBeGreaterThanOrEqual(before)
    expect(uptime).toBeLessThanOrEqual(process.uptime())
    expect(meters.names()).toEqual(['process.start.time', 'process.uptime'])
    for (const name of meters.names()) expect(snapshots(name)[0]?.id.baseUnit).toBe('seconds')
  })

  it('computes the start time once, with the given clock', () => {
    const before = process.uptime()
    const { gauges, clock } = bindRuntimeMeters(bindUptimeMeters)
    const started = gauges('process.start.time')[''] ?? Number.NaN
    // The clock stands at 0, so the start lies before it by as long as the process has run.
    expect(-started).toBeGreaterThanOrEqual(before)
    expect(-started).toBeLessThanOrEqual(process.uptime())
    clock.advance(60_000)
    expect(gauges('process.start.time')['']).toBe(started)
  })
})

describe('bindHandleMeters', () => {
  it('counts the resources that keep the event loop alive', async () => {
    const { gauges, snapshots } = bindRuntimeMeters(bindHandleMeters)
    const handles = () => gauges('nodejs.active.handles')[''] ?? Number.NaN
    const before = handles()
    const servers = Array.from({ length: 20 }, () => createServer())
    onTestFinished(() => {
      for (const server of servers) server.close()
    })
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))
    expect(handles() - before).toBeGreaterThan(10)
    const open = handles()
    for (const server of servers) server.unref()
    expect(open - handles()).toBeGreaterThan(10)
    expect(snapshots('nodejs.active.handles')[0]?.id.baseUnit).toBeUndefined()
  })
})
