import fc from 'fast-check'
import { type Archetype, checkPath } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'

const rulesOf = (path: string, archetype?: Archetype) => checkPath(path, { archetype }).map(({ rule }) => rule)

describe('checkPath', () => {
  it.each([
    '/',
    '/orders',
    '/orders/{order}',
    '/orders/:order/lines',
    '/price-lists/{list}/validity',
    '/orders/search',
    '/addresses/{address}/status',
    '/people/{person}',
    '/hooks/{hook}/messages/{message}',
    '/posts/{post}',
  ])('finds nothing in %s', (path) => {
    expect(checkPath(path)).toEqual([])
  })

  it.each<readonly [string, readonly string[]]>([
    ['/Orders/get_all/', ['trailing-slash', 'upper-case', 'underscore', 'crud-verb']],
    ['/orders//lines', ['empty-segment']],
    ['//orders', ['empty-segment']],
    ['/orders/', ['trailing-slash']],
    ['/orders.json', ['file-extension']],
    ['/createOrder', ['upper-case', 'crud-verb']],
    ['/orders/delete', ['crud-verb']],
    ['/order/{order}', ['plural']],
    ['/v2/orders', ['version']],
    ['/orders/{id}/lines/{id}', ['repeated-variable']],
    ['/orders;x=1', ['characters']],
    ['/caf%C3%A9s', ['upper-case', 'characters']],
    ['/price--lists', ['characters']],
  ])('finds in %s: %j', (path, rules) => {
    expect(rulesOf(path)).toEqual(rules)
  })

  it.each<readonly [string, Archetype, readonly string[]]>([
    ['/orders', 'collection', []],
    ['/order', 'collection', ['plural']],
    ['/settings', 'store', []],
    ['/data', 'store', []],
    ['/status', 'document', []],
    ['/address', 'document', []],
    ['/analysis', 'document', []],
    ['/orders', 'document', ['singular']],
    ['/children', 'document', ['singular']],
    ['/orders/{order}/cancel', 'controller', []],
    ['/orders/{order}/send-again', 'controller', []],
    ['/orders/{order}/payments', 'controller', ['verb']],
    ['/orders/{order}/shipment', 'controller', ['verb']],
    ['/orders/{order}', 'document', []],
  ])('finds in %s, as a %s: %j', (path, archetype, rules) => {
    expect(rulesOf(path, archetype)).toEqual(rules)
  })

  it('returns the segment and a reason', () => {
    expect(checkPath('/price_lists')).toEqual([
      { rule: 'underscore', segment: 'price_lists', reason: 'Words are joined by hyphens.' },
    ])
  })

  it('finds nothing in paths that follow the rules', () => {
    const plural = fc.stringMatching(/^[b-df-hj-np-tv-z][aou][b-df-hj-np-rt]s$/)
    const variable = fc.stringMatching(/^[a-z]{3,6}$/)
    const pairs = fc.uniqueArray(fc.tuple(plural, variable), {
      minLength: 1,
      maxLength: 4,
      selector: ([, name]) => name,
    })
    fc.assert(
      fc.property(pairs, (each) => {
        const path = each.map(([noun, name]) => `/${noun}/{${name}}`).join('')
        fc.pre(!/\/(adds|gets|puts)\//.test(path))
        expect(checkPath(path)).toEqual([])
      }),
    )
  })

  it('finds rules that are broken in any segment, and never throws', () => {
    const segment = fc.stringMatching(/^[a-z]{1,6}$/)
    fc.assert(
      fc.property(fc.array(segment), fc.array(segment), (before, after) => {
        expect(rulesOf(`/${[...before, 'a_b', ...after].join('/')}`)).toContain('underscore')
        expect(rulesOf(`/${[...before, 'Ab', ...after].join('/')}`)).toContain('upper-case')
        expect(rulesOf(`/${[...before, '', 'x', ...after].join('/')}`)).toContain('empty-segment')
        expect(rulesOf(`/${[...before, 'x', ...after].join('/')}/`)).toContain('trailing-slash')
      }),
    )
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (path) => void checkPath(path)))
  })
})
