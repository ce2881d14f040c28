import { HttpError, isHttpError } from 'upkeep'
import { describe, expect, it } from 'vitest'

describe('HttpError', () => {
  it('is an error with a status, header fields and a cause', () => {
    const cause = new Error('why')
    const error = new HttpError(429, 'Slow down.', { headers: { 'Retry-After': '1' }, cause })
    expect(error).toBeInstanceOf(Error)
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'HttpError',
      message: 'Slow down.',
      status: 429,
      headers: { 'Retry-After': '1' },
      members: {},
      cause,
    })
  })

  it('has no header fields and no cause by default', () => {
    const error = new HttpError(400, '')
    expect(error.headers).toEqual({})
    expect('cause' in error).toBe(false)
  })

  it.each([400, 499, 500, 599])('may have the status %d', (status) => {
    expect(new HttpError(status, 'x').status).toBe(status)
  })

  it.each([0, 200, 304, 399, 600, 404.5, Number.NaN, Number.POSITIVE_INFINITY, -404])(
    'throws for the status %d',
    (status) => {
      expect(() => new HttpError(status, 'x')).toThrow(
        new RangeError(`HttpError: status: expected an integer from 400 to 599, received ${status}`),
      )
    },
  )
})

describe('isHttpError', () => {
  it('is true for an HttpError, one of another copy of the package, and a subclass', () => {
    class Teapot extends HttpError {}
    const another = Object.assign(new Error(), { [Symbol.for('upkeep.HttpError')]: true })
    expect([new HttpError(400, ''), new Teapot(418, ''), another].map(isHttpError)).toEqual([true, true, true])
  })

  it.each([undefined, null, 'HttpError', 404, {}, new Error('x'), { status: 404, message: 'x', headers: {} }])(
    'is false for %j',
    (value) => {
      expect(isHttpError(value)).toBe(false)
    },
  )
})
