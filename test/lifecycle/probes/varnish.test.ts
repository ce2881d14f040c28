import { createServer, type Server } from 'node:http'
import { createManagement, type Management } from 'upkeep'
import { manage } from 'upkeep/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeProgram } from '../../support/describe-program.ts'
import { adapt, readDocumented } from '../../support/documented.ts'
import { listenOn } from '../../support/listen.ts'
import { type RunningProxy, startProxy } from '../../support/proxy.ts'

describeProgram({ program: 'varnishd', debian: 'varnish' }, (varnishd) => {
  let management: Management
  let server: Server
  let proxy: RunningProxy
  let requested: string[]

  beforeEach(async () => {
    management = createManagement()
    requested = []
    const managed = manage(management)
    server = createServer((req, res) => {
      requested.push(`${req.method} ${req.url} HTTP/${req.httpVersion}`)
      managed(req, res, () => res.setHeader('Cache-Control', 'no-store').end('hello'))
    })
    const application = await listenOn(server)
    proxy = await startProxy(
      varnishd,
      () =>
        adapt(readDocumented('guides/probes.md', 'default.vcl'), {
          '10.0.0.1': '127.0.0.1',
          '.port = "3000"': `.port = "${application}"`,
          '.interval = 1s': '.interval = 100ms',
        }),
      ({ folder, file, port }) => {
        const [listen, store] = [
          ['-a', `127.0.0.1:${port}`],
          ['-s', 'malloc,16m'],
        ]
        // It says nothing of its own accord, and needs no user of its own for a test.
        return ['-F', '-j', 'none', '-n', `${folder}/varnish`, '-f', file, ...listen, ...store]
      },
    )
    await until('/', 200)
  })
  afterEach(async () => {
    await proxy.dispose()
    server.closeAllConnections()
    server.close()
  })

  const through = (path: string, headers = {}) => fetch(`http://127.0.0.1:${proxy.port}${path}`, { headers })
  const until = (path: string, status: number) => expect.poll(async () => (await through(path)).status).toBe(status)
  const times = (request: string) => requested.filter((each) => each === request).length

  it('caches cacheable responses, such as the discovery page', async () => {
    for (let at = 0; at < 3; at += 1) expect((await through('/management')).status).toBe(200)
    expect(times('GET /management HTTP/1.1')).toBe(1)
  })

  it.each(['/management/health', '/management/health/liveness'])('never serves %s from its cache', async (path) => {
    for (let at = 1; at <= 3; at += 1) {
      const response = await through(path, { 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() })
      expect([response.status, response.headers.get('age')]).toEqual([200, '0'])
      expect(times(`GET ${path} HTTP/1.1`)).toBe(at)
    }
    management.availability.markBroken()
    expect((await through(path)).status).toBe(503)
  })

  it('probes readiness, and sends no requests to an instance that responds with 503', async () => {
    expect(times('GET /management/health/readiness HTTP/1.1')).toBeGreaterThan(0)
    management.availability.refuseTraffic()
    await until('/orders', 503)
    management.availability.acceptTraffic()
    await until('/orders', 200)
  })
})
