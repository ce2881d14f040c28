import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeError } from '../../src/base/error-text.ts'

class PoolError extends Error {
  override name = 'PoolError'
}

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })

describe('describeError', () => {
  it.each([
    ['an error', new Error('gone'), 'Error: gone'],
    ['an error of its own class', new PoolError('empty'), 'PoolError: empty'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['a code', withCode('terminating connection', '57P01'), 'Error: terminating connection (57P01)'],
    [
      'a code that the message holds',
      withCode('connect ECONNREFUSED ::1:1', 'ECONNREFUSED'),
      'Error: connect ECONNREFUSED ::1:1',
    ],
    ['a code of this package, of which the message says more', withCode('gone', 'UPKEEP_ESTATE'), 'Error: gone'],
    ['a cause', new Error('no answer', { cause: new Error('reset') }), 'Error: no answer; cause: Error: reset'],
    ['a cause that is no error', new Error('no answer', { cause: 'frost' }), 'Error: no answer; cause: frost'],
    [
      'gathered errors, of which the first message is empty',
      new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1')]),
      'AggregateError: Error: connect ::1; Error: connect 127.0.0.1',
    ],
    ['a text over lines', new Error('one\n  two\r\n\nthree'), 'Error: one two three'],
    ['a string', 'gone', 'gone'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 5, '5'],
    ['an object', { status: 500 }, '{"status":500}'],
    ['an object with a message', { message: 'gone' }, 'gone'],
    ['a symbol', Symbol('gone'), 'Symbol(gone)'],
    ['an object that cannot be written', { toJSON: () => undefined }, 'an error that cannot be described'],
  ])('describes %s', (_, error, expected) => {
    expect(describeError(error)).toBe(expected)
  })

  it('hides credentials in messages, in causes at any depth and in gathered errors', () => {
    const url = 'postgres://app:s3cret@db/orders'
    const inner = new AggregateError([new Error(`${url} 1`), new Error('password=s3cret 2')], `${url} 3`)
    const error = new Error(`${url} 4`, { cause: new Error('{"password":"s3cret"} 5', { cause: inner }) })

    const text = describeError(error)

    expect(text).not.toContain('s3cret')
    for (const position of [1, 2, 3, 4, 5]) {
      expect(text).toMatch(new RegExp(`\\*\\*\\*.* ${position}`))
    }
  })

  it('hides a credential that spans two lines', () => {
    expect(describeError(new Error('password=\n  s3cret'))).toBe('Error: password= ***')
  })

  it('ends if an error is its own cause, or one of its own errors', () => {
    const circle = new Error('round')
    circle.cause = circle
    const knot = new AggregateError([], 'knot')
    knot.errors.push(knot, knot, knot, knot, knot, knot)

    expect(describeError(circle)).toMatch(/^Error: round(; cause: Error: round){5}$/)
    expect(describeError(knot)).toMatch(/^AggregateError: knot; AggregateError: knot;.{1,4000}…$/)
  })

  it('does not throw for an object whose properties throw', () => {
    const hostile = new Proxy(new Error('x'), {
      get: () => {
        throw new Error('no')
      },
    })

    expect(describeError(hostile)).toBe('an error that cannot be described')
    expect(describeError(Object.create(null))).toBe('{}')
  })

  it('describes any thrown value', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
        expect(describeError(thrown)).toBeTypeOf('string')
      }),
    )
  })
})
