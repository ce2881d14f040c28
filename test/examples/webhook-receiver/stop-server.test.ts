import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { stopServer } from '../../../examples/webhook-receiver/stop-server.ts'

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  // Without an end of its own: whoever waits for kept connections to time out waits for ever.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

describe('stopServer', () => {
  it('answers what has arrived and closes connections that clients keep open', async () => {
    let answer = () => {}
    const { server, port } = await listen((_request, response) => {
      answer = () => void response.end('done')
    })
    const agent = new Agent({ keepAlive: true })
    const asked = get({ port, agent })
    await once(server, 'request')

    const stopped = stopServer(server, 60_000)
    await expect(once(get({ port, agent: false }), 'response')).rejects.toThrow('ECONNREFUSED')
    answer()
    const [response]: IncomingMessage[] = await once(asked, 'response')
    expect((await response?.toArray())?.join('')).toBe('done')
    await stopped
    agent.destroy()
  })

  it('cuts off what is not answered by the deadline', async () => {
    const { server, port } = await listen(() => {})
    const asked = get({ port, agent: false })
    const failed = once(asked, 'response').catch((error: Error) => error.message)
    await once(server, 'request')
    await stopServer(server, 50)
    expect(await failed).toBe('socket hang up')
  })
})
