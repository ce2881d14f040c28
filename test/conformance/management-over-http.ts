import { describe, expect, it } from 'vitest'
import type { Answer, Ask } from '../support/ask.ts'
import { malformedRequests, resolvedByServer } from './malformed-requests.ts'
import { type Subject, token } from './subject.ts'

/** What every adapter's management endpoints do over a real socket. */
export function managementOverHttp(
  subject: () => Subject,
  { hasTargets }: { readonly hasTargets: boolean } = { hasTargets: true },
): void {
  const ask = (path: string, request: Omit<Ask, 'target'> = {}) =>
    subject().ask({ ...request, target: `${subject().at}${path}` })
  const known = { Authorization: `Bearer ${token}` }

  describe('the page at the base path', () => {
    it('links to what is exposed, and each link that is no template answers', async () => {
      const { _links: links } = JSON.parse((await ask('')).body)
      expect(Object.keys(links)).toEqual([
        'self',
        'health',
        'health-path',
        'info',
        'metrics',
        'metrics-requiredMetricName',
        'prometheus',
      ])
      for (const { href, templated } of Object.values<{ href: string; templated: boolean }>(links)) {
        expect(href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
        expect(templated).toBe(href.includes('{'))
        if (!templated) expect(await subject().ask({ target: new URL(href).pathname })).toMatchObject({ status: 200 })
      }
    })

    it('has links without a host for a request whose Host is none', async () => {
      const { body } = await ask('', { headers: { Host: 'a"b' } })
      expect(JSON.parse(body)._links.health.href).toBe(`${subject().at}/health`)
    })
  })

  describe('health', () => {
    it('tells the status, the components by name and the groups', async () => {
      const answer = await ask('/health')
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json')
      expect(answer.body).toBe(
        '{"status":"UP","components":{' +
          '"cache":{"status":"UP","components":{"far":{"status":"UNKNOWN"},"near":{"status":"UP"}}},' +
          '"db":{"status":"UP"},"livenessState":{"status":"UP"},"readinessState":{"status":"UP"}},' +
          '"groups":["liveness","readiness","storage"]}',
      )
    })

    it('tells details to a caller who is known, and to nobody else', async () => {
      expect((await ask('/health/db')).body).toBe('{"status":"UP"}')
      expect((await ask('/health/db', { headers: { Authorization: 'Bearer guess' } })).body).toBe('{"status":"UP"}')
      expect((await ask('/health/db', { headers: known })).body).toBe(
        '{"status":"UP","details":{"database":"PostgreSQL 17"}}',
      )
    })

    it('answers for a component of a component, and for a group with its own view', async () => {
      expect((await ask('/health/cache/far')).body).toBe('{"status":"UNKNOWN"}')
      expect(JSON.parse((await ask('/health/storage')).body)).toEqual({
        status: 'UP',
        components: {
          cache: { status: 'UNKNOWN', components: { far: { status: 'UNKNOWN', details: { miles: 7 } } } },
          db: { status: 'UP', details: { database: 'PostgreSQL 17' } },
        },
      })
    })

    it('answers 503 to the readiness probe while traffic is refused, and 200 to the liveness probe', async () => {
      const { availability } = subject().management
      expect((await ask('/health/readiness')).status).toBe(200)
      availability.refuseTraffic('draining')
      try {
        expect(await ask('/health/readiness')).toMatchObject({ status: 503, body: '{"status":"OUT_OF_SERVICE"}' })
        expect(await ask('/health/liveness')).toMatchObject({ status: 200, body: '{"status":"UP"}' })
        expect((await ask('/health')).status).toBe(503)
      } finally {
        availability.acceptTraffic()
      }
      expect((await ask('/health/readiness')).status).toBe(200)
    })

    it('is kept by nobody', async () => {
      const { headers } = await ask('/health', { headers: { 'If-None-Match': '*' } })
      expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache', expires: '0' })
      expect(headers).not.toHaveProperty('etag')
    })
  })

  describe('HEAD', () => {
    const cases = [
      '',
      '/health',
      '/health/liveness',
      '/info',
      '/info?accept=text/html',
      '/none',
      '/%E0',
      '/info?fields=(',
    ]
    it.each(cases)('%s has the status and the fields of GET, and no content', async (path) => {
      const get = await ask(path)
      const head = await ask(path, { method: 'HEAD' })
      expect(head.status).toBe(get.status)
      expect(withoutDate(head)).toEqual(withoutDate(get))
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
      expect(head.body).toBe('')
    })
  })

  describe('OPTIONS', () => {
    it.each(['', '/health', '/health/db', '/info'])('%s says what can be done', async (path) => {
      const answer = await ask(path, { method: 'OPTIONS' })
      expect(answer).toMatchObject({ status: 204, body: '' })
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
      expect(answer.headers).not.toHaveProperty('content-length')
    })
  })

  describe('a method that a resource does not have', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is refused with what can be done', async (method) => {
      const json = { 'Content-Type': 'application/json' }
      const answer = await ask('/health', { method, headers: json, body: '{"status":"UP"}' })
      expect(answer.status).toBe(405)
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
      expect(JSON.parse(answer.body)).toEqual({
        type: 'about:blank',
        title: 'Method Not Allowed',
        status: 405,
        detail: 'This resource answers GET, HEAD, OPTIONS.',
        instance: `${subject().at}/health`,
      })
    })
  })

  describe('negotiation', () => {
    const spring = 'application/vnd.spring-boot.actuator.v3+json'
    it.each([
      [undefined, 'application/json'],
      ['*/*', 'application/json'],
      ['application/*', 'application/json'],
      [`${spring}, application/json;q=0.5`, spring],
      [`application/json;q=0, */*`, spring],
    ])('Accept: %s gets %s', async (accept, contentType) => {
      const answer = await ask('/info', accept === undefined ? {} : { headers: { Accept: accept } })
      expect(answer.headers).toMatchObject({ 'content-type': contentType, vary: 'Accept' })
    })

    it('takes the query parameter accept before the field', async () => {
      const answer = await ask(`/info?accept=${spring}`, { headers: { Accept: 'text/html' } })
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': spring } })
    })

    it('answers 406 naming what can be had', async () => {
      const answer = await ask('/info', { headers: { Accept: 'text/html' } })
      expect(answer.status).toBe(406)
      expect(JSON.parse(answer.body).detail).toBe(`This resource can be had as application/json or ${spring}.`)
    })

    it('sends an error document as application/json to a client that accepts only that', async () => {
      const problem = await ask('/none')
      const json = await ask('/none', { headers: { Accept: 'application/json' } })
      expect(problem.headers['content-type']).toBe('application/problem+json')
      expect(json.headers['content-type']).toBe('application/json')
      expect(json.body).toBe(problem.body)
    })
  })

  describe('info', () => {
    it('tells of the application, its length counted in bytes', async () => {
      const answer = await ask('/info')
      expect(answer.body).toBe(
        '{"application":{"name":"orders","version":"1.4.2"},"team":{"name":"Éléonore ☂","size":3}}',
      )
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.body)))
    })

    it('tells the fields that are asked for', async () => {
      const answer = await ask('/info?fields=application(version),team(size)')
      expect(answer.body).toBe('{"application":{"version":"1.4.2"},"team":{"size":3}}')
    })

    it('answers 304 without content while the copy holds, and 412 to a demand for another version', async () => {
      const { headers } = await ask('/info')
      const etag = headers['etag'] ?? ''
      expect(etag).toMatch(/^"[\w-]+"$/)
      const fresh = await ask('/info', { headers: { 'If-None-Match': `"other", W/${etag}` } })
      expect(fresh).toMatchObject({ status: 304, body: '', headers: { etag, vary: 'Accept' } })
      expect((await ask('/info?fields=team', { headers: { 'If-None-Match': etag } })).status).toBe(200)
      const spring = 'application/vnd.spring-boot.actuator.v3+json'
      expect((await ask('/info', { headers: { 'If-None-Match': etag, Accept: spring } })).status).toBe(200)
      expect((await ask('/info', { headers: { 'If-Match': '"other"' } })).status).toBe(412)
      expect((await ask('/info', { headers: { 'If-Match': etag } })).status).toBe(200)
    })
  })

  describe('an error document', () => {
    it('names the trace of the request', async () => {
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      const answer = await ask('/none', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
      expect(JSON.parse(answer.body)).toMatchObject({ status: 404, trace_id: traceId })
    })

    it.each(malformedRequests('/management').map(([name], index) => [name, index] as const))(
      'answers %s, and the server goes on serving',
      async (name, index) => {
        const request = malformedRequests(subject().at)[index]?.[1] as Ask
        const answer = await subject().ask(request)
        if (!hasTargets && resolvedByServer.has(name)) {
          expect([200, 400, 404]).toContain(answer.status)
          expect((await ask('/health')).status).toBe(200)
          return
        }
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.status).toBeLessThan(500)
        expect(answer.headers['content-type']).toBe('application/problem+json')
        expect(JSON.parse(answer.body).status).toBe(answer.status)
        expect((await ask('/health')).status).toBe(200)
      },
    )
  })

  it('does not know what is not exposed', async () => {
    expect((await ask('/loggers')).status).toBe(404)
    expect((await ask('/env')).status).toBe(404)
  })

  it('passes on what is not for it, body and all', async () => {
    const body = '{"hello":"☂"}'
    const headers = { 'Content-Type': 'application/json' }
    const answer = await subject().ask({ method: 'POST', target: '/echo', headers, body })
    expect(answer).toMatchObject({ status: 200, body })
  })
}

/** The fields, with their moments left out: two answers may be a second apart. */
function withoutDate({ headers: { date, expires, ...rest } }: Answer) {
  return { ...rest, expires: expires?.replace(/^\w{3}, .* GMT$/, 'a moment') }
}
