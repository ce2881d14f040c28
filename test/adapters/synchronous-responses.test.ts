import type { RequestListener } from 'node:http'
import { createManagement, type Management } from 'upkeep'
import { manage as manageExpress } from 'upkeep/express'
import { manage as manageNode, toManagementRequest } from 'upkeep/node'
import { describe, expect, it } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const adapters: readonly [string, (management: Management) => RequestListener][] = [
  ['node:http', (management) => manageNode(management)],
  [
    'Express',
    (management) => {
      const managed = manageExpress(management)
      return (req, res) =>
        managed(Object.assign(req, { baseUrl: '', protocol: 'http', originalUrl: '' }), res, () => {})
    },
  ],
]

describe.each(adapters)('manage for %s', (_, adapter) => {
  it('sends available results synchronously, and others when they resolve', async () => {
    const management = createManagement({ health: { indicators: { db: { check: async () => 'UP', cache: '1h' } } } })
    const managed = adapter(management)
    const sentAtOnce: boolean[] = []
    const { port, close } = await listen((req, res) => {
      managed(req, res)
      sentAtOnce.push(res.writableEnded)
    })
    const send = createRawClient(port)
    for (const target of ['/management/health', '/management/health', '/management/health/liveness']) {
      expect((await send({ target })).status).toBe(200)
    }
    expect(sentAtOnce).toEqual([false, true, true])
    await close()
    management.close()
  })
})

describe('toManagementRequest', () => {
  it('reads header fields lazily', async () => {
    let looked = 0
    const { port, close } = await listen((req, res) => {
      const request = toManagementRequest(
        Object.defineProperty(req, 'headers', { get: () => ({ host: 'a', looked: ++looked }) }),
      )
      const before = [request.method, request.target, looked]
      res.end(JSON.stringify([...before, request.headers['host'], request.base, looked, request.body().kind]))
    })
    expect(JSON.parse((await createRawClient(port)({ target: '/a?b' })).body)).toEqual([
      'GET',
      '/a?b',
      0,
      'a',
      'http://a',
      2,
      'bytes',
    ])
    await close()
  })
})
