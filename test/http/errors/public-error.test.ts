import { HttpError } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { publicError } from '../../../src/http/errors/public-error.ts'

const unexpected = { status: 500, detail: undefined, headers: {} }

const like = (properties: object) => Object.assign(new Error('the message'), properties)

describe('publicError', () => {
  it('returns the public parts of an HttpError, without cause and stack', () => {
    const error = new HttpError(503, 'Come back later.', {
      headers: { 'Retry-After': '5' },
      cause: new Error('secret'),
    })
    expect(publicError(error)).toEqual({
      status: 503,
      detail: 'Come back later.',
      members: {},
      headers: { 'Retry-After': '5' },
    })
  })

  it('returns the exposed parts of an http-errors error', () => {
    const error = like({ status: 413, expose: true, headers: { a: 'b', c: 1, d: undefined } })
    expect(publicError(error)).toEqual({ status: 413, detail: 'the message', headers: { a: 'b' } })
  })

  it('returns the status and headers of an http-errors error that does not expose its message', () => {
    const error = like({ status: 503, expose: false, headers: { 'Retry-After': '5' } })
    expect(publicError(error)).toEqual({ status: 503, detail: undefined, headers: { 'Retry-After': '5' } })
  })

  it('returns only the 4xx status of any other error, without headers of a received response', () => {
    const error = like({ status: 404, headers: { 'set-cookie': 'secret', 'content-length': '7' } })
    expect(publicError(error)).toEqual({ status: 404, detail: undefined, headers: {} })
    expect(publicError(like({ status: 503 }))).toEqual(unexpected)
  })

  it.each([
    ['an error', new Error('secret')],
    ['a text', 'secret'],
    ['nothing', undefined],
    ['null', null],
    ['a function', () => 'secret'],
    ['an object without a prototype', Object.create(null)],
    ['a status of success', like({ status: 200, expose: true })],
    ['a status out of range', like({ status: 600, expose: true })],
    ['a status that is no whole number', like({ status: 400.5, expose: true })],
    ['a status that is a text', like({ status: '400', expose: true })],
    ['a name without the mark', like({ name: 'HttpError' })],
  ])('is a 500 without details for %s', (_, error) => {
    expect(publicError(error)).toEqual(unexpected)
  })

  it('is a 500 without details for an object whose properties throw', () => {
    const hostile = {
      get status() {
        throw new Error('secret')
      },
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect([hostile, proxy].map(publicError)).toEqual([unexpected, unexpected])
  })

  it('uses the message of an exposed error only if it is a string', () => {
    expect(publicError({ status: 400, expose: true, message: { secret: 1 }, headers: 'none' })).toEqual({
      status: 400,
      detail: undefined,
      headers: {},
    })
  })
})
