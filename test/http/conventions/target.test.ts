import fc from 'fast-check'
import { authorityOf, originForm } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'
import { mountPathOf, pathBelow, pathOf, queryOf, rootBelow, segmentsOf } from '../../../src/http/conventions/target.ts'

const targets = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('/', '.', '%', 'a', '2F', 'E0', '?', '#', ':', '\\', '\u0000', ' ', '\ud800') }),
)

describe('a request target', () => {
  it.each([
    ['/a/b?c=d', '/a/b', [['c', 'd']]],
    ['/a', '/a', []],
    ['/a?', '/a', []],
    ['/a?b?c=d', '/a', [['b?c', 'd']]],
    ['?a', '', [['a', '']]],
    ['', '', []],
    ['*', '*', []],
    ['http://x/a?b', '/a', [['b', '']]],
    ['HTTPS://x:8443/a/../b', '/a/../b', []],
    ['http://x@y//a', '//a', []],
    ['http://x?b', '', [['b', '']]],
    ['http://', '', []],
    ['ftp://x/a', 'ftp://x/a', []],
    ['/http://x/a', '/http://x/a', []],
    ['/a%3Fb?c', '/a%3Fb', [['c', '']]],
    ['/a/../b/./c//d', '/a/../b/./c//d', []],
    [
      '/a?b=%E0&c=%zz',
      '/a',
      [
        ['b', '\ufffd'],
        ['c', '%zz'],
      ],
    ],
  ])('%j is split, but neither resolved nor decoded', (target, path, query) => {
    expect(pathOf(target)).toBe(path)
    expect([...queryOf(target)]).toEqual(query)
  })

  it('is split for any input', () => {
    fc.assert(
      fc.property(targets, (target) => {
        const path = pathOf(target)
        expect(originForm(target).startsWith(path) && target.includes(path) && !path.includes('?')).toBe(true)
        expect([...queryOf(target)].every(([, value]) => typeof value === 'string')).toBe(true)
        const below = pathBelow('/management', path)
        expect(below === undefined || `/management${below}` === path).toBe(true)
        const segments = below === undefined ? undefined : segmentsOf(below)
        expect(segments === undefined || segments.length === below?.split('/').length || below === '').toBe(true)
      }),
    )
  })
})

describe('the authority of a target', () => {
  it.each([
    ['http://orders.example:8080/a', 'orders.example:8080'],
    ['HTTPS://[::1]/a', '[::1]'],
    ['http://orders.example?a', 'orders.example'],
    ['/http://orders.example', undefined],
    ['//orders.example/a', undefined],
    ['*', undefined],
  ])('of %j is %j', (target, authority) => {
    expect(authorityOf(target)).toBe(authority)
  })
})

describe('rootBelow', () => {
  it.each([
    ['', '/management', '/management'],
    ['/ops', '/management', '/management'],
    ['/management', '/management', ''],
    ['/ops/management', '/management', ''],
    ['/xmanagement', '/management', '/management'],
    ['/management/x', '/management', '/management'],
    ['/ops', '/', ''],
  ])('is, below %j, for %j: %j', (mountPath, basePath, root) => {
    expect(rootBelow(mountPathOf(`https://orders.example${mountPath}`), basePath)).toBe(root)
  })
})

describe('pathBelow', () => {
  it.each([
    ['/management', '/management', ''],
    ['/management', '/management/', '/'],
    ['/management', '/management/health', '/health'],
    ['/management', '/management//health', '//health'],
    ['/management', '/management/../x', '/../x'],
    ['/management', '/managementhealth', undefined],
    ['/management', '/management;a=b/health', undefined],
    ['/management', '/Management/health', undefined],
    ['/management', '/%6danagement/health', undefined],
    ['/management', '//management/health', undefined],
    ['/management', '//x/management/health', undefined],
    ['/management', '/a/../management/health', undefined],
    ['/management', '/./management/health', undefined],
    ['/management', 'http://x/management/health', undefined],
    ['/management', '/management%2Fhealth', undefined],
    ['/management', '\\management\\health', undefined],
    ['/management', 'management/health', undefined],
    ['/management', '', undefined],
    ['/a/b', '/a/b/c', '/c'],
    ['/a/b', '/a', undefined],
    ['/', '/health', '/health'],
    ['/', '/', '/'],
    ['/', '', ''],
    ['/', '*', undefined],
    ['/', 'http://x/health', undefined],
  ])('for base %s of %j is %j', (base, path, below) => {
    expect(pathBelow(base, path)).toBe(below)
  })
})

describe('segmentsOf', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/a/b', ['a', 'b']],
    ['/a//b/', ['a', '', 'b', '']],
    ['/a%2Fb', ['a/b']],
    ['/%C3%A9', ['\u00e9']],
    ['/a+b', ['a+b']],
    ['/..', ['..']],
    ['/%2e%2e', ['..']],
    ['/%252e', ['%2e']],
    ['/%00', ['\u0000']],
    ['/%E0', undefined],
    ['/%', undefined],
    ['/%zz', undefined],
    ['/%C0%AF', undefined],
    ['/%ED%A0%80', undefined],
    ['/a/%ff', undefined],
  ])('of %j are %j', (path, segments) => {
    expect(segmentsOf(path)).toEqual(segments)
  })
})
