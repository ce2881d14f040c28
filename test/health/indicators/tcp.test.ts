import { getEventListeners, once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tcp } from 'upkeep/health'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../support/free-port.ts'

const never = new AbortController().signal

describe('tcp', () => {
  const sockets = new Set<Socket>()
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.write('220 welcome\r\n')
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  it('is UP with the connected address, and closes the connection', async () => {
    expect(await tcp({ host: 'localhost', port })(never)).toEqual({
      status: 'UP',
      details: { host: 'localhost', port, address: '127.0.0.1', latency: expect.stringMatching(/^\d+(\.\d+)?ms$/) },
    })
    await expect.poll(() => sockets.size).toBe(0)
  })

  it('is DOWN with the reason if the connection is refused', async () => {
    const unused = await freePort()

    expect(await tcp({ host: '127.0.0.1', port: unused })(never)).toEqual({
      status: 'DOWN',
      details: { host: '127.0.0.1', port: unused, error: `Error: connect ECONNREFUSED 127.0.0.1:${unused}` },
    })
  })

  it('rejects with the reason of the signal while it connects, and closes the connection', async () => {
    const controller = new AbortController()
    const reason = new Error('deadline')
    const health = tcp({ host: '127.0.0.1', port })(controller.signal)
    controller.abort(reason)

    await expect(health).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    await expect.poll(() => sockets.size).toBe(0)
  })

  it('opens no connection once the signal has aborted', async () => {
    const reason = new Error('too late')

    await expect(tcp({ port })(AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it.each([0, -1, 65_536, 1.5, Number.NaN])('refuses port %d', (none) => {
    expect(() => tcp({ port: none })).toThrow(`tcp: port: expected a whole number from 1 to 65535, received ${none}`)
  })
})
