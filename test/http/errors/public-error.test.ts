import { HttpError } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { publicError } from '../../../src/http/errors/public-error.ts'

const unexpected = { status: 500, detail: undefined, headers: {} }

const like = (properties: object) => Object.assign(new Error('the message'), properties)

describe('publicError', () => {
  it('tells what an HttpError says, and neither its cause nor its stack', () => {
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

  it('tells what an error of http-errors exposes', () => {
    const error = like({ status: 413, expose: true, headers: { a: 'b', c: 1, d: undefined } })
    expect(publicError(error)).toEqual({ status: 413, detail: 'the message', headers: { a: 'b' } })
  })

  it('tells the status and the fields of one that does not expose its message', () => {
    const error = like({ status: 503, expose: false, headers: { 'Retry-After': '5' } })
    expect(publicError(error)).toEqual({ status: 503, detail: undefined, headers: { 'Retry-After': '5' } })
  })

  it('tells of any other error the 4xx that it carries, and nothing of the answer that a client of ours got', () => {
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
  ])('tells nothing of %s', (_, error) => {
    expect(publicError(error)).toEqual(unexpected)
  })

  it('tells nothing of what throws when it is looked at', () => {
    const hostile = {
      get status() {
        throw new Error('secret')
      },
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect([hostile, proxy].map(publicError)).toEqual([unexpected, unexpected])
  })

  it('takes the message of an exposed error for a detail only when it is a text', () => {
    expect(publicError({ status: 400, expose: true, message: { secret: 1 }, headers: 'none' })).toEqual({
      status: 400,
      detail: undefined,
      headers: {},
    })
  })
})
