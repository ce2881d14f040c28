import { createServer } from 'node:http'
import { manage, management, registerManagement } from 'upkeep/next'
import { expect, it } from 'vitest'
import { listenOn } from '../support/listen.ts'

it('observes a server that was there before, and serves the management of the process', async () => {
  expect(() => management()).toThrow(/^upkeep\/next: no management in this process: call registerManagement/)
  const { GET } = manage()
  const server = createServer(async (req, res) => {
    if (!req.url?.startsWith('/management')) return res.end('home')
    const response = await GET(new Request(`http://localhost${req.url}`))
    res.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '' })
    return res.end(await response.text())
  })
  const port = await listenOn(server)
  await registerManagement({ expose: ['health'], shutdown: false })
  await registerManagement({ expose: ['info'] })
  const get = async (path: string) => await (await fetch(`http://127.0.0.1:${port}${path}`)).text()

  expect(await get('/')).toBe('home')
  expect(JSON.parse(await get('/management/health'))).toMatchObject({ status: 'UP' })
  expect(JSON.parse(await get('/management/none'))).toMatchObject({ status: 404 })
  const { _links } = JSON.parse(await get('/management'))
  expect(_links.self.href).toBe(`http://127.0.0.1:${port}/management`)
  const timers = [...management().meters.snapshot()].filter(({ id }) => id.name === 'http.server.requests')
  expect(timers.map((each) => each.kind === 'timer' && each.count)).toEqual([1])
  management().close()
  server.closeAllConnections()
  server.close()
})
