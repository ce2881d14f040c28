import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf } from '../../src/http/conventions/target.ts'
import { createRouter } from '../../src/http/router.ts'

const paths = ['', 'health', 'health/{*path}', 'metrics/{name}', 'metrics/{name}/tags/{tag}', 'metrics/special', 'a b']
const resources = new Map(paths.map((path) => [path, {}]))
const router = createRouter([...resources].map(([path, resource]) => ({ path, resource })))

describe('createRouter', () => {
  it.each([
    ['', '', []],
    ['/health', 'health', []],
    ['/health/db', 'health/{*path}', ['db']],
    ['/health/db/primary/x', 'health/{*path}', ['db', 'primary', 'x']],
    ['/health/h%C3%A9', 'health/{*path}', ['h\u00e9']],
    ['/health/%7B*path%7D', 'health/{*path}', ['{*path}']],
    ['/health/constructor', 'health/{*path}', ['constructor']],
    ['/health/...', 'health/{*path}', ['...']],
    ['/metrics/http.server.requests', 'metrics/{name}', ['http.server.requests']],
    ['/metrics/special', 'metrics/{name}', ['special']],
    ['/metrics/m/tags/t', 'metrics/{name}/tags/{tag}', ['m', 't']],
    ['/a%20b', 'a b', []],
    ['/%68ealth', 'health', []],
  ])('routes %j to %j with %j', (path, route, variables) => {
    expect(router(segmentsOf(path) ?? [])).toEqual({ path: route, resource: {}, variables })
    expect(router(segmentsOf(path) ?? [])?.resource).toBe(resources.get(route))
  })

  it.each([
    ['/', 'a trailing slash'],
    ['/health/', 'a trailing slash'],
    ['//health', 'an empty segment'],
    ['/health//db', 'an empty segment'],
    ['/./health', 'a dot segment'],
    ['/x/../health', 'a dot segment'],
    ['/health/..', 'a dot segment'],
    ['/health/%2e%2e', 'a hidden dot segment'],
    ['/health/%2E', 'a hidden dot segment'],
    ['/health%2Fdb', 'a hidden slash'],
    ['/health/db%2Fprimary', 'a hidden slash'],
    ['/health/db%5Cprimary', 'a hidden backslash'],
    ['/health/a\\b', 'a backslash'],
    ['/health/%00', 'a hidden NUL'],
    ['/health/db%0A', 'a hidden line break'],
    ['/health/%7F', 'a hidden control character'],
    ['/Health', 'another case'],
    ['/metrics', 'a segment too few'],
    ['/metrics/a/b', 'a segment too many'],
    ['/metrics/a/tags', 'a segment too few'],
    ['/constructor', 'a name that every object has'],
    ['/__proto__', 'a name that every object has'],
    ['/health;a=b', 'a parameter'],
  ])('finds no route for %j: %s', (path) => {
    expect(router(segmentsOf(path) ?? ['unreadable', 'path'])).toBeUndefined()
  })

  it('uses the first of two matching routes', () => {
    const [first, second] = [{}, {}]
    const both = createRouter([
      { path: '{name}', resource: first },
      { path: 'health', resource: second },
    ])
    expect(both(['health'])?.resource).toBe(first)
  })

  it('needs a segment for the rest of a path', () => {
    const rest = createRouter(['files/{*path}', '{*all}'].map((path) => ({ path, resource: {} })))
    expect(rest(['files', 'a'])).toMatchObject({ path: 'files/{*path}', variables: ['a'] })
    expect(rest(['files'])).toMatchObject({ path: '{*all}', variables: ['files'] })
    expect(rest([])).toBeUndefined()
  })

  it('finds a path without variables by the undecoded path', () => {
    for (const path of ['', '/health', '/metrics/special', '/a b']) {
      const match = router(segmentsOf(path) ?? [])
      // 'metrics/{name}' precedes 'metrics/special', and is used.
      expect([path, router.literals.get(path)]).toEqual([path, path === '/metrics/special' ? undefined : match])
    }
    expect(router.literals.size).toBe(3)
  })

  it('routes a path of a million segments', () => {
    const path = Array.from({ length: 1_000_000 }, () => 'a')
    expect(router(['health', ...path])?.variables).toHaveLength(1_000_000)
  })

  it('handles any path, and never matches a segment that a file system would resolve', () => {
    const unit = fc.constantFrom('/', 'health', 'metrics', '.', '%2e', '%2F', '%5c', '%00', 'a', '%E0', '{*path}')
    fc.assert(
      fc.property(fc.string({ unit }), (path) => {
        const match = router(segmentsOf(`/${path}`) ?? [''])
        // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
        expect(match?.variables.filter((segment) => /^\.{0,2}$|[/\\\u0000]/.test(segment)) ?? []).toEqual([])
      }),
    )
  })
})
