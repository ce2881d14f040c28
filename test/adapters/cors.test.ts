import { bearerToken, createManagement, type Level } from 'upkeep'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient, type RawRequest } from '../support/raw-client.ts'
import { type ManagedBy, managedBy } from './frameworks/managing.ts'

const origin = 'https://ops.example'
const foreign = { Origin: origin, 'Sec-Fetch-Site': 'cross-site' }
const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

async function start(create: ManagedBy) {
  let level: Level = 'INFO'
  const management = createManagement({
    expose: ['health', 'loggers', 'env'],
    paths: { 'health/liveness': '/livez' },
    cors: {
      allowedOrigins: [origin],
      allowedMethods: ['GET', 'POST'],
      allowedHeaders: ['Authorization', 'Content-Type'],
    },
    authorize: bearerToken('let-me-in'),
    audit: () => {},
    loggers: {
      levels: ['OFF', 'INFO', 'DEBUG'],
      names: () => ['ROOT'],
      level: () => ({ configuredLevel: level, effectiveLevel: level }),
      configure: (_name, next) => {
        level = next ?? 'INFO'
      },
    },
  })
  const { port, close } = await listen(create(management))
  onTestFinished(async () => {
    await close()
    management.close()
  })
  const client = createRawClient(port)
  const send = async (request: RawRequest) => {
    const response = await client(request)
    const cors = Object.entries(response.headers).filter(([name]) => name.startsWith('access-control-'))
    return { ...response, cors: Object.fromEntries(cors) }
  }
  return { send, level: () => level }
}

const preflight = (method: string, from = origin) => ({
  method: 'OPTIONS',
  headers: {
    Origin: from,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization,content-type',
  },
})

describe.each(Object.entries(managedBy))('CORS, with %s', (_, create) => {
  it('lets a page of a listed origin read, and change what it is authorized for', async () => {
    const { send, level } = await start(create)
    const target = '/management/loggers/ROOT'
    const permission = await send({ target, ...preflight('POST') })
    expect([permission.status, permission.body, permission.headers['vary']]).toEqual([204, '', vary])
    expect(permission.cors).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '1800',
    })
    const headers = { ...foreign, Authorization: 'Bearer let-me-in', 'Content-Type': 'application/json' }
    const change = await send({ target, method: 'POST', headers, body: '{"configuredLevel":"DEBUG"}' })
    expect([change.status, change.cors, level()]).toEqual([204, { 'access-control-allow-origin': origin }, 'DEBUG'])
    for (const readable of ['/management', '/management/health', '/livez', target, '/management/nope']) {
      const response = await send({ target: readable, headers: foreign })
      expect([readable, response.cors]).toEqual([readable, { 'access-control-allow-origin': origin }])
      expect(response.headers['vary']).toContain(vary)
    }
    // What only authorized callers may read is refused to pages of other origins, except to these.
    expect((await send({ target: '/management/env', headers })).status).toBe(200)
  })

  it('lets a page of another origin read and change nothing', async () => {
    const { send, level } = await start(create)
    const target = '/management/loggers/ROOT'
    const Origin = 'https://evil.example'
    const headers = { Origin, Authorization: 'Bearer let-me-in', 'Content-Type': 'application/json' }
    const requests: readonly RawRequest[] = [
      { target, ...preflight('POST', Origin) },
      { target, ...preflight('DELETE') },
      { target, method: 'POST', headers, body: '{"configuredLevel":"DEBUG"}' },
      { target, headers },
      { target: '/livez', headers },
      { target: '/management/env', headers },
      { target: '/management/nope', headers: { Origin } },
    ]
    for (const request of requests) {
      const { status, cors, body } = await send(request)
      expect([status, cors, JSON.parse(body).detail]).toEqual([403, {}, 'Invalid CORS request.'])
    }
    expect(level()).toBe('INFO')
  })

  it('does not concern the requests to the application', async () => {
    const { send } = await start(create)
    expect(await send({ target: '/orders', ...preflight('GET') })).toMatchObject({ status: 418, cors: {} })
    expect(await send({ target: '/orders', headers: foreign })).toMatchObject({ status: 418, cors: {} })
  })
})
