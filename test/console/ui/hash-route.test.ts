import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatHash, formatQuery, parseHash, screens } from '../../../src/console/ui/hash-route.ts'

describe('the fragment of a screen', () => {
  it.each(screens)('selects the screen $id', ({ id }) => {
    expect(parseHash(formatHash(id))).toEqual({ screen: id, params: new Map() })
  })

  it.each(['', '#', '#/', '#/nothing', 'x', '#?a=b', '#/__proto__'])('selects the overview if it is %s', (hash) => {
    expect(parseHash(hash).screen).toBe('overview')
  })

  it('has parameters, several of one name too', () => {
    const hash = formatHash('metrics', { name: 'http.server.requests', tag: ['uri:/a?b', 'method:GET'] })
    expect(hash).toBe('#/metrics?name=http.server.requests&tag=uri%3A%2Fa%3Fb&tag=method%3AGET')
    expect(parseHash(hash).params).toEqual(
      new Map([
        ['name', ['http.server.requests']],
        ['tag', ['uri:/a?b', 'method:GET']],
      ]),
    )
  })

  it('omits parameters without a value', () => {
    expect(formatHash('requests', { route: undefined, method: '', tag: [] })).toBe('#/requests')
    expect(formatQuery({})).toBe('')
  })

  it('returns any well-formed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (route) => {
        expect(parseHash(formatHash('requests', { route })).params.get('route')).toEqual([route])
      }),
    )
  })

  it('does not throw for a lone surrogate', () => {
    expect(parseHash(formatHash('requests', { route: 'a\ud800' })).params.get('route')).toEqual(['a\ufffd'])
  })
})
