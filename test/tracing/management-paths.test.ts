import { createManagement, type Management } from 'upkeep'
import { beforeEach, expect, it } from 'vitest'
import { managedBy } from '../adapters/frameworks/managing.ts'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { recordSpans } from '../support/record-spans.ts'

const spans = recordSpans()
let request = (_target: string): Promise<{ readonly status: number }> => Promise.reject(new Error('not started'))

async function start(management: Management) {
  const { port, close } = await listen(managedBy['node:http']?.(management) ?? (() => {}))
  const send = createRawClient(port)
  request = (target) => send({ target })
  return async () => {
    await close()
    management.close()
  }
}

const paths = () => spans.all().map(({ attributes }) => attributes['url.path'])

beforeEach(() => {
  request = () => Promise.reject(new Error('not started'))
})

it('requests for endpoints at the root of the server are not traced', async () => {
  const options = { tracing: true, paths: { prometheus: '/metrics', 'health/liveness': '/livez' } }
  const stop = await start(createManagement({ ...options, expose: ['health', 'prometheus'] }))
  for (const target of ['/livez?x', '/metrics', '/management/health']) expect((await request(target)).status).toBe(200)
  for (const target of ['/livez/x', '/metrics/x', '/readyz']) expect((await request(target)).status).toBe(418)
  await expect.poll(paths).toEqual(['/livez/x', '/metrics/x', '/readyz'])
  await stop()
})

it('requests for probes on the port of the application are not traced', async () => {
  const stop = await start(createManagement({ tracing: true }).probes)
  for (const target of ['/livez', '/readyz']) expect((await request(target)).status).toBe(200)
  expect((await request('/orders')).status).toBe(418)
  await expect.poll(paths).toEqual(['/orders'])
  await stop()
})

it('a route /livez of the application is traced', async () => {
  const stop = await start(createManagement({ tracing: true }))
  expect((await request('/livez')).status).toBe(418)
  await expect.poll(paths).toEqual(['/livez'])
  await stop()
})
