import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAbsoluteRoutes } from '../../src/http/absolute-routes.ts'
import { pathOf, segmentsOf } from '../../src/http/conventions/target.ts'

const routes = createAbsoluteRoutes(
  ['/livez', '/ops/meters', '/ops/meters/{name}', '/all/{*path}'].map((path) => ({ path, resource: {} })),
)

describe('createAbsoluteRoutes', () => {
  it.each([
    ['/livez', '', '/livez'],
    ['/livez?verbose', '', '/livez'],
    ['/livez?/x', '', '/livez'],
    ['http://orders.example/livez', '', '/livez'],
    ['https://orders.example/livez?x', '', '/livez'],
    ['/ops/meters/a%2Db', '', '/ops/meters/a%2Db'],
    ['/ops/%6Deters/a', '', undefined],
    ['/all/a/b/c', '', '/all/a/b/c'],
    ['/meters', '/ops', '/ops/meters'],
    ['/meters/a?x', '/ops', '/ops/meters/a'],
    ['/', '/livez', '/livez'],
    ['/x', '/all', '/all/x'],
    ['/meters', '/op', undefined],
    ['/livez', '/ops', undefined],
    ['/', '/ops', undefined],
    ['/y', '/all/x', undefined],
    ['/', '/ops/meters/a', undefined],
  ])('finds the whole path of %j below the mount path %j: %j', (target, mountPath, path) => {
    expect(routes.pathIn(target, mountPath)).toBe(path)
  })

  it.each(['/', '', '*', '/livezz', '/livez/', '/livez/x', '/livez;a', '/livez#x', '//livez', '/ops', '/ops/meters/'])(
    'does not find %j',
    (target) => expect(routes.pathIn(target)).toBeUndefined(),
  )

  it('returns the template of a path', () => {
    expect(['/livez?x', '/ops/meters/a', '/all/x/y', '/x'].map(routes.templateOf)).toEqual([
      '/livez',
      '/ops/meters/{name}',
      '/all/{*path}',
      undefined,
    ])
  })

  it('finds no route for a path with invalid encoding, also beside a route of one variable', () => {
    const { pathIn } = createAbsoluteRoutes(['/{name}', '/livez'].map((path) => ({ path, resource: {} })))
    expect([pathIn('/livez'), pathIn('/livez/%E0'), pathIn('/%E0', '/livez')]).toEqual(['/livez', undefined, undefined])
  })

  it('has no template for other paths, also beside a route of the root itself', () => {
    const { templateOf } = createAbsoluteRoutes(['/', '/livez'].map((path) => ({ path, resource: {} })))
    expect(['/livez', '/other', '/livez/x'].map(templateOf)).toEqual(['/livez', undefined, undefined])
  })

  it('finds what its router finds, if the literal part is not encoded', () => {
    const unit = fc.constantFrom('/', '/livez', '/ops', '/meters', '/all', '?', '.', '%2e', '%2F', '%', 'a', '%E0', '#')
    fc.assert(
      fc.property(fc.string({ unit }), (target) => {
        const path = pathOf(target)
        const found = routes.pathIn(target)
        const isRouted = path.startsWith('/') && routes.router(segmentsOf(path) ?? []) !== undefined
        expect(found).toBe(isRouted ? path : undefined)
      }),
      { numRuns: 2_000 },
    )
  })
})
