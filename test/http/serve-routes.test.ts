import { describe, expect, it } from 'vitest'
import { servePlacedRoutes, serveRoutes } from '../../src/http/serve-routes.ts'
import { requestWith } from '../support/management-request.ts'

const options = {
  basePath: '/api',
  authorize: undefined,
  clock: { wallTime: () => 0, monotonicTime: () => 0 },
  report: () => {},
}

/** Routes that respond with their own path. */
const routesOf = (...paths: readonly string[]) =>
  paths.map((path) => ({ path, resource: { get: () => ({ status: 303, headers: { Location: path } }) } }))

const requestOf = (target: string, mountPath?: string) => ({ ...requestWith({}), target, mountPath })

/** Returns the path of the route that responds, the status of an error, or `undefined` for a request passed on. */
async function ask(handler: ReturnType<typeof serveRoutes>, target: string, mountPath?: string) {
  const response = await handler(requestOf(target, mountPath))
  return response?.headers['Location'] ?? response?.status
}

describe('serveRoutes', () => {
  it.each([
    ['/api', undefined, ''],
    ['/api?x', undefined, ''],
    ['/api/', undefined, 404],
    ['/api/health', undefined, 'health'],
    ['/api/orders/a', undefined, 'orders/{order}'],
    ['/api/none', undefined, 404],
    ['/apis', undefined, undefined],
    ['/', undefined, undefined],
    ['/', '/api', ''],
    ['/health', '/ops/api', 'health'],
    ['/none', '/api', 404],
    ['/api/health', '/ops', 'health'],
  ])('below /api, for %s with the mount path %s, responds with %j', async (target, mountPath, expected) => {
    const handler = serveRoutes(routesOf('', 'health', 'orders/{order}'), options)
    expect(await ask(handler, target, mountPath)).toBe(expected)
  })

  it.each([
    ['/health', 'health'],
    ['/orders/a', 'orders/{order}'],
    ['/none', undefined],
    ['xhealth', undefined],
    ['*', undefined],
  ])('at the root, for %s, responds with %j', async (target, expected) => {
    const handler = serveRoutes(routesOf('health', 'orders/{order}'), { ...options, basePath: '/' })
    expect(await ask(handler, target)).toBe(expected)
  })

  it.each([
    ['/api', undefined, '/api/'],
    ['/api/orders/secret?x', undefined, '/api/orders/{order}'],
    ['/orders/secret', '/api', '/orders/{order}'],
    ['/api/none', undefined, undefined],
    ['/other', undefined, undefined],
  ])('has for %s with the mount path %s the template %j', (target, mountPath, template) => {
    const handler = serveRoutes(routesOf('', 'orders/{order}'), options)
    expect(handler.templateOf?.(requestOf(target, mountPath))).toBe(template)
  })

  it('names itself and the right name of an unknown option', () => {
    const message = 'serveRoutes: unknown option "prefix"; did you mean "basePath"?'
    expect(() => serveRoutes([], { ...options, prefix: '/api' } as never)).toThrow(message)
  })
})

describe('servePlacedRoutes', () => {
  it('serves routes at the root of the server beside those below the base path', async () => {
    const handler = servePlacedRoutes(routesOf('/livez', 'health'), options)
    expect(await ask(handler, '/livez')).toBe('/livez')
    expect(await ask(handler, '/api/health')).toBe('health')
    expect(await ask(handler, '/api/none')).toBe(404)
    expect(await ask(handler, '/api/livez')).toBe(404)
    expect(await ask(handler, '/none')).toBeUndefined()
    expect(handler.absolute?.templateOf('/livez')).toBe('/livez')
  })

  it('passes on everything else if all routes are at the root of the server', async () => {
    const handler = servePlacedRoutes(routesOf('/livez', '/readyz'), options)
    expect(await ask(handler, '/readyz')).toBe('/readyz')
    expect(await ask(handler, '/api/none')).toBeUndefined()
  })

  it('has no absolute routes without one, and responds below the base path also without any route', async () => {
    expect(servePlacedRoutes(routesOf('health'), options).absolute).toBeUndefined()
    const none = servePlacedRoutes([], options)
    expect([none.absolute, await ask(none, '/api/none')]).toEqual([undefined, 404])
  })
})
