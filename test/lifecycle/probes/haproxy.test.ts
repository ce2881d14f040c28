import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createManagement, type Management } from 'upkeep'
import { manage } from 'upkeep/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeProgram } from '../../support/describe-program.ts'
import { listenOn } from '../../support/listen.ts'
import type { RunningProxy } from '../../support/proxy.ts'
import { startHaproxy } from '../../support/start-haproxy.ts'

describeProgram({ program: 'haproxy', debian: 'haproxy' }, (haproxy) => {
  let management: Management
  let server: Server
  let port: number
  let proxy: RunningProxy | undefined
  let requested: string[]

  beforeEach(async () => {
    management = createManagement()
    requested = []
    const managed = manage(management)
    server = createServer((req, res) => {
      requested.push(`${req.method} ${req.url} HTTP/${req.httpVersion}`)
      server.emit('asked')
      managed(req, res, () => res.end('hello'))
    })
    port = await listenOn(server)
  })
  afterEach(async () => {
    await proxy?.dispose()
    server.closeAllConnections()
    server.close()
  })

  const through = (path: string) => fetch(`http://127.0.0.1:${proxy?.port}${path}`)

  it('checks readiness by GET, and removes an instance that responds with 503 until it responds with 200', async () => {
    proxy = await startHaproxy(haproxy, [port, port])
    expect(await (await through('/')).text()).toBe('hello')
    management.availability.refuseTraffic('stocktaking')
    expect(await proxy.child.err.line(/orders\/a is DOWN/)).toContain('Layer7 wrong status, code: 503')
    await proxy.child.err.line(/orders\/b is DOWN/)
    // HAProxy logs the change before all of its threads apply it.
    await expect.poll(async () => (await through('/')).status).toBe(503)
    management.availability.acceptTraffic()
    await proxy.child.err.line(/orders\/a is UP/)
    await expect.poll(async () => (await through('/')).text()).toBe('hello')
    expect(requested).toContain('GET /management/health/readiness HTTP/1.1')
  })

  it('denies outside clients the management endpoints', async () => {
    proxy = await startHaproxy(haproxy, [port, port])
    expect((await through('/management/health')).status).toBe(403)
  })

  it('never removes an instance that responds with 503 if it checks by a bare option httpchk', async () => {
    proxy = await startHaproxy(haproxy, [port, port], {
      '  http-check send meth GET uri /management/health/readiness ver HTTP/1.1 hdr Host orders.example\n': '',
      '  http-check expect status 200\n': '',
    })
    management.availability.refuseTraffic('stocktaking')
    const before = requested.length
    // More than twice as often as it takes to be out.
    while (requested.length < before + 10) await once(server, 'asked')
    expect(new Set(requested)).toEqual(new Set(['OPTIONS / HTTP/1.0']))
    expect(proxy.child.err.lines.join()).not.toContain('is DOWN')
    expect(await (await through('/')).text()).toBe('hello')
  })
})
