import { getEventListeners } from 'node:events'
import { dns } from 'upkeep/health'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../../support/start-dns.ts'

const never = new AbortController().signal
const latency = expect.stringMatching(/^\d+(\.\d+)?ms$/)

describe('dns', () => {
  it('uses the operating system, including the hosts file', async () => {
    expect(await dns('localhost')(never)).toEqual({
      status: 'UP',
      details: { name: 'localhost', records: expect.arrayContaining(['127.0.0.1']), latency },
    })
  })

  it('is DOWN with the reason for an unknown name', async () => {
    expect(await dns('nobody.invalid')(never)).toEqual({
      status: 'DOWN',
      details: { name: 'nobody.invalid', error: expect.stringMatching(/^Error: getaddrinfo E\w+ nobody\.invalid/) },
    })
  })

  it('rejects with the reason of the signal during a lookup', async () => {
    const controller = new AbortController()
    const reason = new Error('deadline')
    const health = dns('localhost')(controller.signal)
    controller.abort(reason)

    await expect(health).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('rejects a server that is not an address', () => {
    expect(() => dns('known.test', { servers: ['dns.example'] })).toThrow(TypeError)
  })
})

describe('dns over a name server', () => {
  let server: DnsServer
  beforeAll(async () => {
    server = await startDns()
  })
  afterAll(() => server.dispose())

  it('is UP with the records', async () => {
    expect(await dns('known.test', { servers: [server.address] })(never)).toEqual({
      status: 'UP',
      details: { name: 'known.test', records: ['192.0.2.1'], latency },
    })
  })

  it('is DOWN with the reason if there is no such name or record', async () => {
    expect(await dns('unknown.test', { servers: [server.address] })(never)).toEqual({
      status: 'DOWN',
      details: { name: 'unknown.test', error: 'Error: queryA ENOTFOUND unknown.test' },
    })
    expect(await dns('known.test', { servers: [server.address], recordType: 'MX' })(never)).toMatchObject({
      status: 'DOWN',
      details: { records: [] },
    })
  })

  // The resolver itself gives up after twenty seconds.
  it('rejects with the reason of the signal while the server hangs, and is UP when it continues', {
    timeout: 4_000,
  }, async () => {
    const indicator = dns('known.test', { servers: [server.address] })
    server.freeze()
    const requested = server.questions()
    const controller = new AbortController()
    const reason = new Error('deadline')
    const health = indicator(controller.signal)
    await expect.poll(server.questions).toBeGreaterThan(requested)
    controller.abort(reason)

    await expect(health).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    server.thaw()
    expect(await indicator(never)).toMatchObject({ status: 'UP' })
  })

  it('sends nothing for a signal that has aborted', async () => {
    const requested = server.questions()
    const reason = new Error('too late')

    await expect(dns('known.test', { servers: [server.address] })(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(server.questions()).toBe(requested)
  })
})
