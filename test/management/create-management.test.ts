import fc from 'fast-check'
import { createManagement } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { createManagementClient } from '../support/management-client.ts'
import { requestWith } from '../support/management-request.ts'

const request = (target: string, method = 'GET') => ({ ...requestWith({}), target, method })

describe('a management', () => {
  it.each([
    '/',
    '/health',
    '/managementx',
    '/managementx/health',
    '/Management/health',
    '/%6danagement/health',
    '/management%2Fhealth',
    '//management/health',
    '//x/management/health',
    '/a/../management/health',
    '/./management/health',
    '/a/management/health',
    'ftp://x/management/health',
    'http:/management/health',
    'http://x//management/health',
    'http://x/a/../management/health',
    'http://x',
    'http://x?/management/health',
    'management/health',
    '\\management\\health',
    '*',
    '',
    '?/management/health',
    '#/management/health',
    `/${'a'.repeat(8_192)}`,
  ])('passes on %.60j', (target) => {
    expect(createManagement()(request(target))).toBeUndefined()
    expect(createManagement()(request(target, 'OPTIONS'))).toBeUndefined()
  })

  it.each([
    ['/management/', 404],
    ['/management//health', 404],
    ['/management/health/', 404],
    ['/management/./health', 404],
    ['/management/../health', 404],
    ['/management/health/..', 404],
    ['/management/health/..%2f..%2fetc%2fpasswd', 404],
    ['/management/health/%2e%2e', 404],
    ['/management/health/%00', 404],
    ['/management/\u0000', 404],
    ['/management/health%00', 404],
    ['/management/health\\db', 404],
    ['/management/health#x', 404],
    ['/management/health;a=b', 404],
    ['/management/HEALTH', 404],
    ['/management/%E0', 400],
    ['/management/health/%E0%80%AF', 400],
    ['/management/%', 400],
    ['/management/health%u0041', 400],
    ['/management/health/constructor', 404],
    ['/management/__proto__', 404],
    ['/management/metrics', 404],
    [`/management/health/${'a'.repeat(8_192)}`, 404],
    [`/management/health${'/a'.repeat(100_000)}`, 404],
    [`/management${'/health'.repeat(1_000)}`, 404],
  ])('responds to %.50j with an error document of %i', async (target, status) => {
    const report = vi.fn()
    const { send } = createManagementClient({ report })
    expect(await send(target)).toMatchObject({
      status,
      headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
      json: { type: 'about:blank', status },
    })
    expect(report).not.toHaveBeenCalled()
  })

  it('responds to any request or passes it on, and never fails', async () => {
    const report = vi.fn()
    const managements = ['/management', '/'].map((basePath) =>
      createManagement({ basePath, expose: ['health', 'info'], report }),
    )
    const unit = fc.constantFrom(
      '/',
      'management',
      'health',
      '..',
      '%',
      'E0',
      '2F',
      '?',
      'fields=',
      'accept=',
      '(',
      ',',
      '&',
      '\u0000',
      '\ud800',
    )
    const headers = fc.dictionary(
      fc.constantFrom('accept', 'if-match', 'if-none-match', 'if-modified-since', 'traceparent', 'content-type'),
      fc.oneof(fc.string(), fc.array(fc.string()), fc.constant('*')),
    )
    const methods = fc.oneof(fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'), fc.string())
    await fc.assert(
      fc.asyncProperty(fc.string({ unit }), headers, methods, async (target, fields, method) => {
        for (const management of managements) {
          const response = await management({ ...requestWith(fields), target: `/management${target}`, method })
          expect(response === undefined || response.status < 500).toBe(true)
        }
      }),
    )
    expect(report).not.toHaveBeenCalled()
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'get', ''])('refuses %j', async (method) => {
    expect(await createManagementClient().send('/management/health', { method })).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    })
  })

  it('responds synchronously with a cached report until a check is due', async () => {
    let now = 0
    const clock = { wallTime: () => 0, monotonicTime: () => now }
    const check = vi.fn(async () => ({ status: 'UP', details: { round: check.mock.calls.length } }))
    const health = { indicators: { db: check }, showDetails: 'always' } as const
    const { management } = createManagementClient({ clock, health })
    const first = management(request('/management/health'))
    expect(first).toBeInstanceOf(Promise)
    const response = await first
    expect(management(request('/management/health'))).toBe(response)
    expect(management(request('/management/health', 'HEAD'))).toEqual({ ...response, body: null })
    expect(management(request('/management/health/liveness'))).toMatchObject({ status: 200, body: '{"status":"UP"}' })
    management.availability.refuseTraffic('draining')
    expect(management(request('/management/health'))).toMatchObject({ status: 503 })
    management.availability.acceptTraffic()
    expect(management(request('/management/health'))).toMatchObject({ status: 200, body: response?.body })
    now = 1_000
    const next = management(request('/management/health'))
    expect(next).toBeInstanceOf(Promise)
    expect((await next)?.body).toBe(String(response?.body).replace('"round":1', '"round":2'))
  })

  it('never reads a body that no endpoint uses', async () => {
    const body = vi.fn()
    await createManagementClient().send('/management/health', { body })
    await createManagementClient().send('/management/health', { body, method: 'POST' })
    expect(body).not.toHaveBeenCalled()
  })

  it('responds with 404 to endpoints that are not exposed', async () => {
    expect((await createManagementClient({ expose: ['info'] }).send('/management/health')).status).toBe(404)
    expect((await createManagementClient({ expose: ['info'] }).send('/management/health/liveness')).status).toBe(404)
    expect((await createManagementClient().send('/management/info')).status).toBe(404)
  })

  it('responds below a configured base path only', async () => {
    const { management, send } = createManagementClient({ basePath: '/ops/admin' })
    expect((await send('/ops/admin/health')).status).toBe(200)
    expect(management(request('/management/health'))).toBeUndefined()
    expect(management(request('/ops/health'))).toBeUndefined()
  })

  it('with the base path "/" responds to its own paths and passes on all others', async () => {
    const { management, send } = createManagementClient({ basePath: '/' })
    expect((await send('/health')).status).toBe(200)
    expect((await send('/health/readiness?x')).status).toBe(200)
    expect((await send('/health/nothing')).status).toBe(404)
    expect((await send('/health', { method: 'POST' })).status).toBe(405)
    for (const target of [
      '/',
      '',
      '/info',
      '/orders',
      '/health/',
      '//health',
      '/%E0',
      '/health/%E0',
      '*',
      'http://x/orders',
    ]) {
      expect([target, management(request(target))]).toEqual([target, undefined])
    }
  })

  it('names a request that failed in the trace that it belongs to', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    expect(
      (await createManagementClient().send('/management/nothing?secret=1', { headers: { traceparent } })).json,
    ).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Resource not found.',
      instance: '/management/nothing',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    })
  })

  it('responds even if its report throws', async () => {
    const authorize = () => Promise.reject(new Error('no directory'))
    const report = () => {
      throw new Error('no console')
    }
    const { send } = createManagementClient({ authorize, report, health: { showDetails: 'when-authorized' } })
    expect((await send('/management/health')).status).toBe(200)
  })

  it('lives beside another in one process', async () => {
    const [one, other] = [createManagementClient(), createManagementClient()]
    one.management.availability.refuseTraffic()
    expect((await one.send('/management/health/readiness')).status).toBe(503)
    expect((await other.send('/management/health/readiness')).status).toBe(200)
  })
})
