import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptOf, preferredMediaType } from '../../../src/http/conventions/negotiate.ts'

const forms = ['text/html', 'application/json', 'text/plain; version=0.0.4; charset=utf-8']

describe('preferredMediaType', () => {
  it.each([
    [undefined, 'text/html'],
    ['', undefined],
    ['*/*', 'text/html'],
    ['application/json', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/html'],
    ['text/plain', 'text/plain; version=0.0.4; charset=utf-8'],
    ['text/plain;version=0.0.4', 'text/plain; version=0.0.4; charset=utf-8'],
    ['text/plain; charset=UTF-8; version=0.0.4', 'text/plain; version=0.0.4; charset=utf-8'],
    ['text/plain;version=1.0.0', undefined],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;charset="UTF-8"', 'application/json'],
    ['application/json; charset=iso-8859-1', undefined],
    ['application/json; indent=2', undefined],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['text/html;q=0.5, application/json;q=0.6', 'application/json'],
    ['application/json;q=0.5, text/html;q=0.5', 'application/json'],
    ['application/json, text/html', 'application/json'],
    ['*/*;q=0.1, application/json;q=0', 'text/html'],
    ['*/*, text/html;q=0', 'application/json'],
    ['text/*;q=0, */*', 'application/json'],
    ['text/*, text/html;q=0, */*;q=0.9', 'text/plain; version=0.0.4; charset=utf-8'],
    ['text/html;q=0.3, text/*;q=0.7', 'text/plain; version=0.0.4; charset=utf-8'],
    ['image/png', undefined],
    ['text/html;q=0, application/json;q=0, text/plain;q=0', undefined],
    ['*/*;q=0', undefined],
    ['*/*;q=0.000', undefined],
    ['application/json;Q=0.5', 'application/json'],
    ['application/json ; q=0.5', 'application/json'],
    [',, application/json ,,', 'application/json'],
    ['gibberish, application/json', 'application/json'],
    ['gibberish', undefined],
    ['*', undefined],
    ['application/json;q=nonsense', undefined],
    ['application/json;__proto__=1', undefined],
    ['"application/json"', undefined],
    [
      'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1',
      'text/plain; version=0.0.4; charset=utf-8',
    ],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', 'text/html'],
  ])('for %j is %j', (accept, preferred) => {
    expect(preferredMediaType(accept, forms)).toBe(preferred)
  })

  it('ranks media types as the example of RFC 9110 §12.5.1 does', () => {
    const accept = 'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5'
    const ranked = ['text/plain;format=flowed', 'text/plain', 'image/jpeg', 'text/plain;format=fixed', 'text/html']
    for (const [at, better] of ranked.entries()) {
      for (const worse of ranked.slice(at + 1)) {
        expect(preferredMediaType(accept, [worse, better])).toBe(better)
        expect(preferredMediaType(accept, [better, worse])).toBe(better)
      }
    }
  })

  it('equals a model that looks up the most specific range of each offer', () => {
    const types = ['text/html', 'text/plain', 'application/json', 'image/png']
    const ranges = ['*/*', 'text/*', 'application/*', ...types]
    const accepts = fc.uniqueArray(fc.tuple(fc.constantFrom(...ranges), fc.integer({ min: 0, max: 1000 })), {
      minLength: 1,
      selector: ([range]) => range,
    })
    fc.assert(
      fc.property(accepts, fc.shuffledSubarray(types, { minLength: 1 }), (accept, offered) => {
        const quality = new Map(accept)
        const qualityOf = (type: string) =>
          quality.get(type) ?? quality.get(type.replace(/\/.*/, '/*')) ?? quality.get('*/*') ?? 0
        const field = accept.map(([range, q]) => `${range};q=${(q / 1000).toFixed(3)}`).join(', ')
        const preferred = preferredMediaType(field, offered)
        const best = Math.max(...offered.map(qualityOf))
        expect(preferred === undefined ? 0 : qualityOf(preferred)).toBe(best)
      }),
    )
  })

  it.each(['*/*,', 'a/b;c="', ';', '"', 'application/json;a=b;', '*/*;q=0.1,a/b;q=1,'])(
    'accepts 16 KiB of %j',
    (part) => {
      const accept = part.repeat(16_384 / part.length)
      expect([undefined, 'text/html']).toContain(preferredMediaType(accept, forms))
    },
  )

  it('never throws', () => {
    const unit = fc.constantFrom('a', '/', '*', ';', 'q=', '0.', ',', '"', '\\', ' ', '=', '\u0000', '\u20ac')
    fc.assert(
      fc.property(fc.string({ unit }), (accept) => {
        expect([undefined, ...forms]).toContain(preferredMediaType(accept, forms))
      }),
    )
  })
})

describe('acceptOf', () => {
  it.each([
    ['', {}, undefined],
    ['', { accept: '' }, undefined],
    ['', { accept: ' ' }, undefined],
    ['', { accept: 'text/html' }, 'text/html'],
    ['', { accept: ['text/html', 'text/plain;q=0.5'] }, 'text/html, text/plain;q=0.5'],
    ['accept=', { accept: 'text/html' }, 'text/html'],
    ['accept=application/json', { accept: 'text/html' }, 'application/json'],
    ['accept=application/json', {}, 'application/json'],
    ['accept=text/html;q=0.5,%20*/*;q=0.1', {}, 'text/html;q=0.5, */*;q=0.1'],
    ['accept=text/html&accept=text/plain', {}, 'text/html,text/plain'],
    ['accept=application/problem+json', {}, 'application/problem+json'],
    ['accept=application/problem%2Bjson', {}, 'application/problem+json'],
    ['accept=text/html,+application/a+b+c,+*/*', {}, 'text/html, application/a+b+c, */*'],
    ['accept=text/html;+q=0.5', {}, 'text/html; q=0.5'],
    ['Accept=text/html', { accept: 'text/plain' }, 'text/plain'],
  ])('of ?%s and %j is %j', (query, headers, accept) => {
    expect(acceptOf(headers, new URLSearchParams(query))).toBe(accept)
  })
})
