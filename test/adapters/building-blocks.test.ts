import { createManagement } from 'upkeep'
import {
  authorityOf,
  errorResponse,
  type ManagementRequest,
  notFoundResponse,
  originForm,
  recordError,
  reportedPath,
  reportToConsole,
  representationHeaders,
  respondToError,
  setRoute,
  systemClock,
  traceIdOf,
} from 'upkeep/adapter'
import { contractAreas } from 'upkeep/contract'
import { toBody, toManagementRequest, toResponse } from 'upkeep/fetch'
import { observe } from 'upkeep/node'
import {
  bytesBody,
  controller,
  createResources,
  decodeUtf8,
  faultsOf,
  HttpError,
  isHttpError,
  noContent,
  offerJson,
  readBody,
  serveRoutes,
} from 'upkeep/rest'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../support/listen.ts'

/** A request, without content by default. */
function request(method: string, target: string, content?: Uint8Array): ManagementRequest {
  const chunks = async function* () {
    if (content !== undefined) yield content
  }
  return {
    method,
    target,
    headers: content === undefined ? {} : { 'content-length': String(content.byteLength) },
    base: 'http://127.0.0.1',
    body: () => ({ kind: 'bytes', bytes: chunks() }),
  }
}

const text = (value: string) => new TextEncoder().encode(value)

describe('a request target', () => {
  it.each([
    ['/orders?size=2', '/orders?size=2', undefined],
    ['http://127.0.0.1:80/orders?size=2', '/orders?size=2', '127.0.0.1:80'],
    ['HTTPS://example.org', '', 'example.org'],
  ])('%s has the origin form %j and the authority %s', (target, origin, authority) => {
    expect(originForm(target)).toBe(origin)
    expect(authorityOf(target)).toBe(authority)
  })
})

describe('an observed request', () => {
  it('is measured by the route and the error that the adapter sets, and has a trace', async () => {
    const management = createManagement({ tracing: {} })
    const seen: string[] = []
    const { port, close } = await listen((req, res) =>
      observe(management)(req, res, () => {
        setRoute(res, '/orders/:token')
        recordError(res, new RangeError('none left'))
        seen.push(traceIdOf(res) ?? '', reportedPath(res, req.url ?? ''))
        res.writeHead(500).end()
      }),
    )
    await (await fetch(`http://127.0.0.1:${port}/orders/4711`)).text()
    await close()
    expect(seen).toEqual([expect.stringMatching(/^[\da-f]{32}$/), '/orders/REDACTED'])
    const tags = {
      method: 'GET',
      uri: '/orders/:token',
      status: '500',
      outcome: 'SERVER_ERROR',
      exception: 'RangeError',
      error: 'RangeError',
    }
    expect(management.meters.timer('http.server.requests', tags).count).toBe(1)
  })
})

describe('an error', () => {
  it('becomes an error document, and is reported if it is a 5xx', () => {
    const reports: unknown[] = []
    const respond = (error: unknown) =>
      respondToError(
        error,
        request('GET', '/orders'),
        (...report) => void reports.push(report),
        ({ status }) => status,
      )
    const failure = new Error('no connection')
    expect([respond(new HttpError(404, 'No such order.')), respond(failure)]).toEqual([404, 500])
    expect(reports).toEqual([['GET /orders failed', failure]])
    expect(errorResponse(failure, request('GET', '/orders')).headers['Content-Type']).toBe('application/problem+json')
  })

  it('replaces a representation, whose header fields no longer apply', () => {
    expect(representationHeaders).toContain('Content-Encoding')
    expect(representationHeaders).toContain('ETag')
    expect(representationHeaders).not.toContain('Set-Cookie')
  })

  it('is recognized from any entry point', () => {
    expect(isHttpError(new HttpError(409, 'Stored already.'))).toBe(true)
    expect(isHttpError(new Error('409'))).toBe(false)
  })
})

describe('routes', () => {
  const handler = serveRoutes(
    [
      {
        path: 'notes',
        resource: { get: () => ({ offers: offerJson(['one'], ['application/json']), caching: 'no-store' }) },
      },
    ],
    { basePath: '/', authorize: undefined, clock: systemClock, report: () => {} },
  )

  it('are served as JSON', async () => {
    const response = await handler(request('GET', '/notes'))
    expect(response?.status).toBe(200)
    expect(await toResponse(response ?? errorResponse(undefined, request('GET', '/notes'))).json()).toEqual(['one'])
  })

  it('pass on a request outside their base path', () => {
    const below = serveRoutes([], { basePath: '/api', authorize: undefined, clock: systemClock, report: () => {} })
    expect(below(request('GET', '/other'))).toBeUndefined()
  })
})

describe('a body', () => {
  it('is read up to its limit', async () => {
    const { bytes } = (await readBody(request('POST', '/notes', text('four')), 4)) as { bytes: Uint8Array }
    expect(decodeUtf8(bytes)).toBe('four')
    await expect(readBody(request('POST', '/notes', text('fives')), 4)).rejects.toMatchObject({ status: 413 })
  })

  it('is refused if it is not UTF-8', () => {
    expect(() => decodeUtf8(Uint8Array.of(0xff))).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('is omitted from a response on request', async () => {
    const resources = createResources({
      resources: [controller('reset', { accepts: bytesBody(['text/plain']), run: () => noContent() })],
    })
    const requested = {
      ...request('POST', '/reset', text('now')),
      headers: { 'content-type': 'text/plain', 'content-length': '3' },
    }
    expect(await resources(requested)).toMatchObject({ status: 204, body: null })
  })

  it('has faults with the location of each', () => {
    expect(faultsOf([{ message: 'is missing', path: ['order', 'id'] }])).toEqual([
      { path: '/order/id', message: 'is missing' },
    ])
  })
})

describe('a Request', () => {
  it('is converted, and the response is converted back', async () => {
    const requested = toManagementRequest(
      new Request('http://127.0.0.1/health?a=1', { headers: { Accept: 'text/html' } }),
    )
    expect(requested).toMatchObject({ method: 'GET', target: '/health?a=1', base: 'http://127.0.0.1' })
    expect(requested.headers['accept']).toBe('text/html')
    expect(toBody('content')).toBe('content')
    expect(toBody(null)).toBe(null)
    expect(await toResponse({ status: 201, headers: { ETag: '"1"' }, body: 'made' }).text()).toBe('made')
  })
})

it('contractAreas lists the areas of the contract', () => {
  expect(contractAreas).toContain('health')
  expect(new Set(contractAreas).size).toBe(contractAreas.length)
})

describe('notFoundResponse', () => {
  it('is an error document for the requested path', () => {
    const { status, headers, body } = notFoundResponse(request('GET', '/orders?size=2'))
    expect([status, headers['Content-Type']]).toEqual([404, 'application/problem+json'])
    expect(JSON.parse(String(body))).toMatchObject({ title: 'Not Found', status: 404, instance: '/orders' })
  })
})

describe('reportToConsole', () => {
  it('writes the message and its cause to the console', () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => error.mockRestore())
    const cause = new Error('no broker')
    reportToConsole('a check failed', cause)
    expect(error).toHaveBeenCalledExactlyOnceWith('upkeep: a check failed', cause)
  })
})
