import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createManagement } from 'upkeep'
import { listen, observe } from 'upkeep/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { observeServers } from '../../../src/auto/application/observe-servers.ts'
import { createSafely } from '../../../src/instrumentation/safely.ts'
import { requestCounts } from '../../support/request-counts.ts'

const report = vi.fn()
const onRequest = vi.fn()
const management = createManagement({ metrics: { runtime: false } })
const own = createManagement({ metrics: { runtime: false } })
const unsubscribe = observeServers(
  management.observation,
  { onServer() {}, onRequest, routeOf: () => '/orders/:id' },
  createSafely('upkeep/auto', report),
)

/** The application observes its requests for two managements. */
const respond = observe(management)
const server = createServer((request, response) =>
  respond(request, response, () => observe(own, { route: () => '/own' })(request, response, () => response.end())),
)
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.close()
  management.close()
  own.close()
})

it('observes a request once for each management, also one that the application observes itself', async () => {
  await (await fetch(`${origin()}/orders/1`)).text()
  await expect.poll(() => requestCounts(own.meters).size).toBe(1)
  expect([...requestCounts(management.meters)]).toEqual([['/orders/:id GET 200 SUCCESS none', 1]])
  expect([...requestCounts(own.meters)]).toEqual([['/own GET 200 SUCCESS none', 1]])
})

it('does not observe the server of a management', async () => {
  const { address, close } = await listen(own, { port: 0 })
  onRequest.mockClear()
  expect((await fetch(`http://127.0.0.1:${address.port}/management/health`)).status).toBe(200)
  await close()
  expect(onRequest).not.toHaveBeenCalled()
})

it('serves a request when a framework cannot be observed, and reports it once', async () => {
  onRequest.mockImplementation(() => {
    throw new TypeError('an unexpected version')
  })
  for (let count = 0; count < 2; count++) expect((await fetch(origin())).status).toBe(200)
  expect(report.mock.calls).toEqual([[expect.stringContaining('upkeep/auto failed'), expect.any(TypeError)]])
})

it('observes nothing after it has ended', async () => {
  unsubscribe()
  onRequest.mockReset()
  expect((await fetch(origin())).status).toBe(200)
  expect(onRequest).not.toHaveBeenCalled()
})
