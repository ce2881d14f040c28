import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { ManagementOptions } from 'upkeep'
import type { AuditEvent } from 'upkeep/logging'
import { shutdownGracefully } from 'upkeep/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import {
  authorization,
  builtInIds,
  createEveryEndpoint,
  endpointRequests,
  essenceOf,
} from '../support/every-endpoint.ts'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { type CreateListener, listeners } from './listeners.ts'

const headers = { authorization }

async function start(createListener: CreateListener, options: ManagementOptions = {}) {
  const events: AuditEvent[] = []
  const audit = (event: AuditEvent) => void events.push(event)
  const { management, close } = createEveryEndpoint({ audit, ...options })
  const server = createServer(createListener(management))
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    close()
  })
  return { management, server, port, events, send: createRawClient(port) }
}

it('every built-in endpoint is requested', () => {
  expect(Object.keys(endpointRequests).sort()).toEqual([...builtInIds()].sort())
})

describe.each(Object.entries(listeners))('the built-in endpoints, with %s,', (_name, createListener) => {
  it('respond with their status, media type and content', async () => {
    const { send } = await start(createListener)
    for (const request of Object.values(endpointRequests).flat()) {
      const { method, path, body } = request
      const target = `/management/${path}`
      const fields = { ...headers, ...request.headers }
      const response = await send({ method, target, headers: fields, ...(body !== undefined && { body }) })
      const { status, mediaType, shows } = request
      expect([method, path, response.status, essenceOf(response.headers['content-type'])]).toEqual([
        ...[method, path, status, mediaType],
      ])
      if (response.body === '') expect([path, method === 'HEAD' || status === 204]).toEqual([path, true])
      else if (/json$/.test(mediaType ?? '')) expect(Object.keys(JSON.parse(response.body))).toContain(shows)
      else expect(response.body).toContain(shows)
    }
  })

  it('require credentials, except for health, info and meters', async () => {
    const { send } = await start(createListener)
    for (const [id, requests] of Object.entries(endpointRequests)) {
      if (['health', 'info', 'metrics', 'prometheus'].includes(id)) continue
      for (const { method, path, body } of requests) {
        if (id === 'loggers' && method === 'GET') continue
        // The page, which contains nothing of the service.
        if (path === 'console' || path.startsWith('console/assets/')) continue
        const target = `/management/${path}`
        const response = await send({ method, target, ...(body !== undefined && { body }) })
        expect([method, path, response.status]).toEqual([method, path, 401])
      }
    }
  })

  it('end a profile whose client leaves, and take the next', async () => {
    const { send, port, server, events } = await start(createListener)
    const request = get({ port, host: '127.0.0.1', path: '/management/profile?seconds=300', headers })
    request.on('error', () => {})
    await once(server, 'request')
    // Until the profile has begun.
    await eventually(async () => {
      const second = await send({ target: '/management/profile?seconds=0.1', headers })
      expect(second.status).toBe(409)
    })
    request.destroy()
    await eventually(async () => {
      const next = await send({ target: '/management/profile?seconds=0.1&format=folded', headers })
      expect(next.status).toBe(200)
    })
    const outcomes = events.map(({ outcome, status }) => [outcome, status])
    expect(outcomes).toContainEqual(['failure', undefined])
    expect(outcomes.at(-1)).toEqual(['success', undefined])
  })

  it('shut down gracefully, after the response', async () => {
    const { send, management, server } = await start(createListener)
    const exit = vi.fn()
    const { finished } = shutdownGracefully(server, management, { signals: [], delay: '0ms', exit })
    const response = await send({ method: 'POST', target: '/management/shutdown', headers })
    expect([response.status, JSON.parse(response.body)]).toEqual([200, { message: 'Shutting down, bye...' }])
    expect(await finished).toMatchObject([{ name: 'requests', outcome: 'done' }])
    await eventually(() => expect(exit).toHaveBeenCalledExactlyOnceWith(0))
  })
})

describe('the built-in endpoints', () => {
  // A snapshot takes seconds. How each adapter sends a stream that its client leaves, the log file shows.
  it.each(['node:http', 'fetch'] as const)(
    'send a heap snapshot chunk by chunk, with %s, and end it when its client leaves',
    async (name) => {
      const { send, port, events } = await start(listeners[name])
      const target = '/management/heapdump'
      const [response]: IncomingMessage[] = await once(
        get({ port, host: '127.0.0.1', path: target, headers, agent: false }),
        'response',
      )
      expect([response?.statusCode, response?.headers]).toMatchObject([
        200,
        {
          'content-type': 'application/octet-stream',
          'cache-control': 'no-store',
          'server-timing': expect.stringMatching(/^blocked;dur=\d+;desc="event loop"$/),
          'transfer-encoding': 'chunked',
        },
      ])
      const [chunk] = await once(response as IncomingMessage, 'data')
      expect(String(chunk)).toMatch(/^\{"snapshot":\{"meta":/)
      expect(events).toEqual([])
      expect(await send({ target, headers })).toMatchObject({ status: 409 })
      response?.on('error', () => {}).destroy()
      await eventually(async () => expect((await send({ method: 'HEAD', target, headers })).status).toBe(200))
      expect(events).toMatchObject([
        { endpoint: 'heapdump', outcome: 'failure', status: 409 },
        { endpoint: 'heapdump', outcome: 'failure', status: undefined },
        { endpoint: 'heapdump', method: 'HEAD', outcome: 'success' },
      ])
    },
  )
})
