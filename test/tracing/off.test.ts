import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const hooks = process.getBuiltinModule('node:async_hooks')
let created = 0
class AsyncLocalStorage<T> extends hooks.AsyncLocalStorage<T> {
  constructor() {
    super()
    created += 1
  }
}
// On Node 24 it is a getter.
Object.defineProperty(hooks, 'AsyncLocalStorage', { value: AsyncLocalStorage, configurable: true })

const { createManagement, currentTrace, traced, traceHeaders } = await import('upkeep')
const { observe } = await import('upkeep/node')

async function serveOne(tracing: boolean | undefined): Promise<unknown> {
  const management = createManagement({ metrics: { runtime: false }, ...(tracing !== undefined && { tracing }) })
  const observed = observe(management)
  const server = createServer((req, res) => {
    observed(req, res, () => traced('work', () => res.end(JSON.stringify([currentTrace() ?? null, traceHeaders()]))))
  })
  const { body } = await createRawClient(await listenOn(server))({ target: '/' })
  server.close()
  management.close()
  return JSON.parse(body)
}

it.each([undefined, false])('creates no AsyncLocalStorage while the option tracing is %s', async (tracing) => {
  expect(await serveOne(tracing)).toEqual([null, {}])
  expect(created).toBe(0)
})

it('creates one when tracing is on, and no second', async () => {
  expect(await serveOne(true)).toMatchObject([{ traceId: expect.any(String) }, { traceparent: expect.any(String) }])
  await serveOne(true)
  expect(created).toBe(1)
})
