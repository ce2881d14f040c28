import { createManagement } from 'upkeep'
import { type Listening, listen } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { createRawClient, exchangeBytes } from '../support/raw-client.ts'

const open: Listening[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function start(host?: string) {
  const listening = await listen(createManagement(), { port: 0, host })
  open.push(listening)
  const { port } = listening.address
  return { port, send: createRawClient(port) }
}

describe('a listener on a loopback address', () => {
  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'orders.localhost', '[::1]', '127.1.2.3'])(
    'accepts the Host %s',
    async (name) => {
      const { send, port } = await start()
      for (const host of [name, `${name}:${port}`]) {
        expect((await send({ target: '/management/health', headers: { Host: host } })).status).toBe(200)
      }
    },
  )

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', '0.0.0.0'])(
    'refuses the Host %s on every path',
    async (host) => {
      const { send, port } = await start()
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const response = await send({ method, target: '/management/health', headers: { Host: `${host}:${port}` } })
        expect([response.status, response.headers['content-type']]).toEqual([421, 'application/problem+json'])
        expect(JSON.parse(response.body)).toEqual({
          type: 'about:blank',
          title: 'Misdirected Request',
          status: 421,
          detail: 'This server accepts only loopback names in Host.',
        })
      }
    },
  )

  it('accepts a client that sends no Host', async () => {
    const { port } = await start()
    const bytes = Buffer.from('GET /management/health HTTP/1.0\r\n\r\n')
    expect((await exchangeBytes(port, bytes)).status).toBe(200)
  })
})

describe('a listener on all addresses', () => {
  it('accepts every Host', async () => {
    const { send } = await start('0.0.0.0')
    const response = await send({ target: '/management/health', headers: { Host: 'orders.example' } })
    expect(response.status).toBe(200)
  })
})
