import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeError } from '../../src/base/error-text.ts'

const circle = new Error('round')
circle.cause = circle

describe('describeError', () => {
  it.each([
    [new Error('no'), 'Error: no'],
    [new TypeError(''), 'TypeError'],
    [Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }), 'Error: no answer (ETIMEDOUT)'],
    [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'Error (ECONNREFUSED)'],
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'Error: connect ECONNREFUSED'],
    [Object.assign(new Error('not allowed'), { code: 13 }), 'Error: not allowed (13)'],
    [new DOMException('no answer within 5 ms', 'TimeoutError'), 'TimeoutError: no answer within 5 ms'],
    [new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'Error: a; cause: Error: b; cause: c'],
    [new Error('a', { cause: null }), 'Error: a'],
    [new AggregateError([new Error('a'), 'b']), 'AggregateError: Error: a; b'],
    [new AggregateError([new Error('a')], 'all failed'), 'AggregateError: all failed; Error: a'],
    [new AggregateError([], 'none'), 'AggregateError: none'],
    [circle, `Error: round${'; cause: Error: round'.repeat(5)}`],
    [new Error('two\n  lines\r\nor three'), 'Error: two lines or three'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [5n, '5'],
    [Symbol('s'), 'Symbol(s)'],
    [{ message: 'an object' }, 'an object'],
    [{ message: 5 }, '{"message":5}'],
    [Object.create(null), '{}'],
    [{ a: 1n }, 'an error that cannot be described'],
  ])('tells case %#', (error, text) => {
    expect(describeError(error)).toBe(text)
  })

  it('reports that a value whose properties throw cannot be described', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(describeError(proxy)).toBe('an error that cannot be described')
  })

  it('describes any thrown value in one line', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true }), (thrown) => {
        expect(describeError(thrown)).not.toContain('\n')
      }),
    )
  })
})
