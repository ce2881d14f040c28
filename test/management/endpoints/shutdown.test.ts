import { createServer } from 'node:http'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { manage, shutdownGracefully } from 'upkeep/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { listenOn } from '../../support/listen.ts'
import { createManagementClient } from '../../support/management-client.ts'

const options: ManagementOptions = {
  expose: ['health', 'shutdown'],
  authorize: bearerToken('secret'),
  report: () => {},
}

const headers = { authorization: 'Bearer secret' }

describe('POST shutdown', () => {
  it("starts the graceful shutdown, and responds as Spring Boot Actuator's", async () => {
    const management = createManagement(options)
    onTestFinished(() => management.close())
    const server = createServer(manage(management))
    const exit = vi.fn()
    const { finished } = shutdownGracefully(server, management, { signals: [], delay: '0ms', exit })
    const url = `http://127.0.0.1:${await listenOn(server)}/management`
    const responses = await Promise.all(
      ['', '?again'].map((query) => fetch(`${url}/shutdown${query}`, { method: 'POST', headers })),
    )
    for (const response of responses) {
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ message: 'Shutting down, bye...' })
    }
    expect(management.availability.readiness).toBe('REFUSING_TRAFFIC')
    expect(await finished).toMatchObject([{ name: 'requests', outcome: 'done' }])
    await eventually(() => expect(exit).toHaveBeenCalledExactlyOnceWith(0))
  })

  it('starts nothing once the shutdown was removed', async () => {
    const { management, send } = createManagementClient(options)
    const { remove } = shutdownGracefully(createServer(), management, { signals: [], exit: () => {} })
    remove()
    expect((await send('/management/shutdown', { method: 'POST', headers })).status).toBe(501)
    expect(management.availability.readiness).toBe('ACCEPTING_TRAFFIC')
  })

  it('is 501 without shutdownGracefully, 405 for GET, and 401 for strangers', async () => {
    const { send } = createManagementClient(options)
    expect(await send('/management/shutdown', { method: 'POST', headers })).toMatchObject({
      status: 501,
      json: { detail: 'The application has no graceful shutdown; it does not call shutdownGracefully.' },
    })
    expect(await send('/management/shutdown', { headers })).toMatchObject({
      status: 405,
      headers: { Allow: 'POST, OPTIONS' },
    })
    expect((await send('/management/shutdown', { method: 'POST' })).status).toBe(401)
  })

  it('is off by default, linked if it is exposed, and refused to pages of other origins', async () => {
    const off = createManagementClient({ ...options, expose: ['health'] })
    expect((await off.send('/management/shutdown', { method: 'POST', headers })).status).toBe(404)
    const { send } = createManagementClient(options)
    expect((await send('/management')).json).toMatchObject({ _links: { shutdown: { templated: false } } })
    const crossSite = { ...headers, 'sec-fetch-site': 'cross-site' }
    expect((await send('/management/shutdown', { method: 'POST', headers: crossSite })).status).toBe(403)
  })
})
