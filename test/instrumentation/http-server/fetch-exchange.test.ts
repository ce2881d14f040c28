import { describe, expect, it } from 'vitest'
import { FetchExchange } from '../../../src/instrumentation/http-server/fetch-exchange.ts'
import { ServerAttributes } from '../../../src/instrumentation/http-server/server-attributes.ts'

const headers = { traceparent: '00-11112222333344445555666677778888-1111222233334444-01', 'user-agent': 'curl' }
const exchangeOf = (url: string, init: RequestInit = {}) => new FetchExchange(new Request(url, init))

describe('FetchExchange', () => {
  it.each([
    ['http://a.example/orders/1?x=/y', '/orders/1?x=/y'],
    ['https://a.example:8443/', '/'],
    ['http://[::1]:80/a//b', '/a//b'],
    ['http://a.example', '/'],
    ['http://user:secret@a.example/b', '/b'],
  ])('of %s has the target %s', (url, target) => {
    // What a server hands on is not always what a client may make.
    expect(new FetchExchange({ url: url === 'http://a.example' ? `${url}/` : url } as Request).url).toBe(target)
  })

  it('has the method, and the header fields after the host of the URL', () => {
    const exchange = exchangeOf('http://a.example:8080/', { method: 'POST', headers })
    expect(exchange.method).toBe('POST')
    expect(exchange.req).toBe(exchange)
    expect(exchange.rawHeaders).toEqual(['host', 'a.example:8080', ...Object.entries(headers).flat()])
  })

  it('has a socket that indicates TLS', () => {
    expect(exchangeOf('https://a.example/').socket).toEqual({ encrypted: true })
    expect(exchangeOf('http://a.example/').socket).toEqual({})
  })

  it('has the attributes of a span, with a redacted path without the query', () => {
    const exchange = exchangeOf('https://a.example:8443/orders/1?key=secret', { headers })
    expect(new ServerAttributes(exchange, (path) => `redacted ${path}`).compute()).toEqual({
      'http.request.method': 'GET',
      'http.request.method_original': undefined,
      'url.scheme': 'https',
      'url.path': 'redacted /orders/1',
      'server.address': 'a.example',
      'server.port': 8443,
      'user_agent.original': 'curl',
    })
  })

  it('has no status before the response, then that of the response', () => {
    const exchange = exchangeOf('http://a.example/')
    expect([exchange.headersSent, exchange.statusCode, exchange.writableFinished]).toEqual([false, 0, false])
    exchange.respond(204)
    expect([exchange.headersSent, exchange.statusCode, exchange.writableFinished]).toEqual([true, 204, false])
  })
})
