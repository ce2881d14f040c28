import fc from 'fast-check'
import { createManagement } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { requestWith } from '../support/management-request.ts'

const origin = 'https://ops.example'
const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

const management = createManagement({
  expose: ['health', 'info', 'metrics', 'loggers'],
  cors: {
    allowedOrigins: [origin, 'http://localhost:5173'],
    allowedMethods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: ['ETag'],
    allowCredentials: true,
    maxAge: '1h',
  },
  authorize: ({ headers }) => (headers['authorization'] === 'Bearer right' ? { name: 'operator' } : undefined),
  loggers: {
    levels: ['OFF', 'INFO', 'DEBUG'],
    names: () => ['ROOT'],
    level: () => ({ configuredLevel: 'INFO', effectiveLevel: 'INFO' }),
    configure: () => {},
  },
})

async function send(
  target: string,
  headers: Record<string, string>,
  method = 'GET',
  each = management,
  body?: unknown,
) {
  const response = await each({
    ...requestWith({ host: 'orders.example', ...headers }),
    ...{ target, method },
    body: () => ({ kind: 'parsed', value: body }),
  })
  if (response === undefined) throw new Error('passed on')
  return { ...response, cors: Object.fromEntries(Object.entries(response.headers).filter(([name]) => isCors(name))) }
}

const isCors = (name: string) => name.toLowerCase().startsWith('access-control-')
const preflight = (method: string, fields?: string, from = origin) => ({
  origin: from,
  'access-control-request-method': method,
  ...(fields !== undefined && { 'access-control-request-headers': fields }),
})

describe('a preflight request', () => {
  it.each([
    ['GET', undefined],
    ['HEAD', undefined],
    ['POST', 'content-type'],
    ['POST', 'authorization,content-type'],
    ['POST', ' Authorization , Content-Type,,'],
  ])('of a listed origin for %s with the fields %j is allowed', async (method, fields) => {
    const { status, headers, body } = await send('/management/loggers/ROOT', preflight(method, fields), 'OPTIONS')
    expect([status, body, headers]).toEqual([
      204,
      null,
      {
        Allow: 'GET, HEAD, POST, OPTIONS',
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Allow-Methods': 'GET, POST',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type',
        'Access-Control-Max-Age': '3600',
        Vary: vary,
      },
    ])
  })

  it.each([
    ['an origin that is not listed', preflight('GET', undefined, 'https://evil.example')],
    ['another scheme', preflight('GET', undefined, 'http://ops.example')],
    ['another port', preflight('GET', undefined, `${origin}:8443`)],
    ['a longer host', preflight('GET', undefined, `${origin}.evil.example`)],
    ['another letter case', preflight('GET', undefined, 'https://OPS.example')],
    ['an opaque origin', preflight('GET', undefined, 'null')],
    ['two origins', preflight('GET', undefined, `${origin}, ${origin}`)],
    ['a method that is not listed', preflight('DELETE')],
    ['a method in lower case', preflight('post')],
    ['no method', preflight('')],
    ['a field that is not listed', preflight('POST', 'content-type,x-debug')],
    ['every field', preflight('POST', '*')],
  ])('with %s is refused', async (_, headers) => {
    const { status, headers: fields, cors, body } = await send('/management/loggers/ROOT', headers, 'OPTIONS')
    expect([status, cors, fields['Vary']]).toEqual([403, {}, `Accept, ${vary}`])
    expect(JSON.parse(String(body))).toMatchObject({ status: 403, detail: 'Invalid CORS request.' })
  })

  it('needs no credentials, and says nothing about them', async () => {
    const { status, headers } = await send('/management/loggers', preflight('GET'), 'OPTIONS')
    expect([status, headers['WWW-Authenticate']]).toEqual([204, undefined])
  })

  it('for a path without a resource is a 404', async () => {
    expect((await send('/management/nope', preflight('GET'), 'OPTIONS')).status).toBe(404)
  })
})

describe('a request of a page', () => {
  const shared = { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }
  const change = { configuredLevel: 'DEBUG' }
  const foreign = { origin, 'sec-fetch-site': 'cross-site' }

  it.each(['GET', 'HEAD', 'OPTIONS'])('of a listed origin may be %s', async (method) => {
    const { status, cors, headers } = await send('/management/health', foreign, method)
    expect(status).toBe(method === 'OPTIONS' ? 204 : 200)
    expect(cors).toEqual({ ...shared, 'Access-Control-Expose-Headers': 'ETag' })
    expect(headers['Vary']).toBe(method === 'OPTIONS' ? vary : `Accept, ${vary}`)
  })

  it.each([
    ['/management/nope', {}, 404],
    ['/management/metrics/nope', {}, 404],
    ['/management/metrics/process.uptime', { accept: 'text/plain' }, 406],
  ])('of a listed origin may read the error of %s', async (target, headers, status) => {
    const response = await send(target, { ...foreign, ...headers })
    expect([response.status, response.cors]).toMatchObject([status, shared])
  })

  it('of a listed origin may change something, if it is authorized', async () => {
    const headers = { ...foreign, 'content-type': 'application/json' }
    const refused = await send('/management/loggers/ROOT', headers, 'POST', management, change)
    expect([refused.status, refused.cors]).toMatchObject([401, shared])
    const authorized = { ...headers, authorization: 'Bearer right' }
    expect((await send('/management/loggers/ROOT', authorized, 'POST', management, change)).status).toBe(204)
  })

  it('of a listed origin may not use a method that is not listed', async () => {
    const { status, cors } = await send('/management/loggers/ROOT', foreign, 'DELETE')
    expect([status, cors]).toEqual([403, {}])
  })

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'https://evil.example', authorization: 'Bearer right' },
  ])('of another origin is refused: %j', async (headers) => {
    const { status, cors, headers: fields } = await send('/management/health', headers)
    expect([status, cors, fields['Vary']]).toEqual([403, {}, `Accept, ${vary}`])
  })

  it.each([
    {},
    { origin: 'https://orders.example' },
    { origin: 'http://orders.example' },
    { origin: 'https://proxied.example', 'sec-fetch-site': 'same-origin' },
  ])('of its own origin, and of a program, is responded to as ever: %j', async (headers) => {
    const { status, cors, headers: fields } = await send('/management/health', headers)
    expect([status, cors, fields['Vary']]).toEqual([200, {}, `Accept, ${vary}`])
    const authorized = { ...headers, authorization: 'Bearer right', 'content-type': 'application/json' }
    expect((await send('/management/loggers/ROOT', authorized, 'POST', management, change)).status).toBe(204)
  })

  it('without an origin cannot change something', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', authorization: 'Bearer right' }
    expect((await send('/management/loggers/ROOT', headers, 'POST', management, change)).status).toBe(403)
  })

  it('that is a copy of another one does not get its fields', async () => {
    const each = [foreign, {}, { origin: 'http://localhost:5173' }, foreign]
    const origins = []
    for (const headers of each)
      origins.push((await send('/management/health', headers)).cors['Access-Control-Allow-Origin'])
    expect(origins).toEqual([origin, undefined, 'http://localhost:5173', origin])
  })
})

describe('CORS', () => {
  it('never lets a page of an unlisted origin read anything', async () => {
    const text = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.string(),
      fc.constantFrom('*', 'null', `${origin}/`, `${origin} `, 'https://ops.example.', 'https://ops%2Eexample'),
      fc.string({ minLength: 1 }).map((each) => origin + each),
      fc.string({ minLength: 1 }).map((each) => each + origin),
    )
    const listed = [origin, 'http://localhost:5173']
    await fc.assert(
      fc.asyncProperty(
        text.filter((each) => !listed.includes(each)),
        fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'BREW'),
        fc.option(fc.constantFrom('GET', 'POST', 'PUT', ''), { nil: undefined }),
        fc.option(fc.constantFrom('cross-site', 'same-site', 'same-origin', 'none'), { nil: undefined }),
        fc.constantFrom('/management', '/management/health', '/management/loggers/ROOT', '/management/nope'),
        async (from, method, intended, site, target) => {
          const headers = {
            origin: from,
            ...(intended !== undefined && { 'access-control-request-method': intended }),
            ...(site !== undefined && { 'sec-fetch-site': site }),
          }
          const response = await send(target, headers, method)
          expect(response.cors).toEqual({})
          expect(JSON.stringify(response.headers)).not.toContain('*')
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is off by default: no fields, and no other responses', async () => {
    const plain = createManagement()
    const read = await send('/management/health', { origin }, 'GET', plain)
    expect([read.status, read.cors, read.headers['Vary']]).toEqual([200, {}, 'Accept'])
    const options = await send('/management/health', preflight('GET'), 'OPTIONS', plain)
    expect([options.status, options.headers]).toEqual([204, { Allow: 'GET, HEAD, OPTIONS' }])
  })

  it('allows GET without credentials for half an hour by default', async () => {
    const least = createManagement({ cors: { allowedOrigins: [origin] } })
    expect((await send('/management/health', preflight('GET'), 'OPTIONS', least)).cors).toEqual({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'GET',
      'Access-Control-Max-Age': '1800',
    })
    expect((await send('/management/health', { origin }, 'GET', least)).cors).toEqual({
      'Access-Control-Allow-Origin': origin,
    })
    for (const headers of [preflight('POST'), preflight('GET', 'authorization')]) {
      expect((await send('/management/health', headers, 'OPTIONS', least)).status).toBe(403)
    }
  })

  it('applies to endpoints at the root of the server, and not to probes on the port of the application', async () => {
    const placed = createManagement({
      cors: { allowedOrigins: [origin] },
      expose: ['health', 'info'],
      paths: { info: '/about' },
    })
    expect((await send('/about', { origin }, 'GET', placed)).cors).toEqual({ 'Access-Control-Allow-Origin': origin })
    expect((await send('/about', { origin: 'https://evil.example' }, 'GET', placed)).status).toBe(403)
    const { status, headers } = await send('/livez', { origin }, 'GET', placed.probes)
    expect([status, headers['Vary']]).toEqual([200, 'Accept'])
  })
})

describe('the option cors', () => {
  const expected = "expected an origin such as 'https://ops.example': scheme, host and port, received"
  const name = "expected the name of a header field such as 'Authorization', received"
  it.each<readonly [unknown, string]>([
    [{}, 'cors.allowedOrigins: expected an array of at least one origin'],
    [{ allowedOrigins: [] }, 'cors.allowedOrigins: expected an array of at least one origin'],
    [{ allowedOrigins: 'https://ops.example' }, 'cors.allowedOrigins: expected an array of at least one origin'],
    ...[
      '*',
      'null',
      '',
      'ops.example',
      `${origin}/`,
      'https://OPS.example',
      `${origin}:443`,
      'file://',
      'https://*.x',
    ].map((each) => [{ allowedOrigins: [origin, each] }, `cors.allowedOrigins[1]: ${expected} "${each}"`] as const),
    [{ allowedOrigins: [origin], allowedMethods: ['*'] }, 'cors.allowedMethods[0]: expected one of GET, POST, PUT'],
    [{ allowedOrigins: [origin], allowedMethods: [] }, 'cors.allowedMethods: expected an array of at least one method'],
    [{ allowedOrigins: [origin], allowedHeaders: ['*'] }, `cors.allowedHeaders[0]: ${name} "*"`],
    [{ allowedOrigins: [origin], exposedHeaders: ['a\nb'] }, `cors.exposedHeaders[0]: ${name} "a\\nb"`],
    [{ allowedOrigins: [origin], maxAge: 1800 }, 'cors.maxAge: expected a duration such as "5s" of more than 0'],
    [{ allowedOrigins: [origin], allowCredentials: 1 }, 'cors.allowCredentials: expected true or false, received 1'],
    [{ allowedOrigin: [origin] }, 'unknown option "cors.allowedOrigin"; did you mean "cors.allowedOrigins"?'],
  ])('is refused: %j', (cors, message) => {
    expect(() => createManagement({ cors: cors as never })).toThrow(message)
  })

  it.each([origin, 'http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080', 'https://xn--bcher-kva.example'])(
    'accepts the origin %s',
    (each) => expect(() => createManagement({ cors: { allowedOrigins: [each] } }).close()).not.toThrow(),
  )
})
