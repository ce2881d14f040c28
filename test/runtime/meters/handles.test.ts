import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bindHandleMeters } from '../../../src/runtime/meters/handles.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

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
