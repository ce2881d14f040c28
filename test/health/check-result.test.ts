import { describe, expect, it } from 'vitest'
import { healthOfError, toHealth } from '../../src/health/checks/check-result.ts'

describe('toHealth', () => {
  it.each([
    ['UP', { status: 'UP' }],
    ['degraded', { status: 'degraded' }],
    [{ status: 'UP' }, { status: 'UP' }],
    [
      { status: 'UP', description: 'fine', details: { a: 1 } },
      { status: 'UP', description: 'fine', details: { a: 1 } },
    ],
    [{ status: 'UP', description: undefined, details: undefined }, { status: 'UP' }],
    [{ status: 'UP', description: 5, details: 'none' }, { status: 'UP' }],
    [{ status: 'UP', details: null }, { status: 'UP' }],
    [{ status: 'UP', other: 1, components: {} }, { status: 'UP' }],
    [
      { status: 'UP', details: { a: undefined, at: new Date(0) } },
      { status: 'UP', details: { at: '1970-01-01T00:00:00.000Z' } },
    ],
  ])('converts %j to %j', (returned, health) => {
    expect(toHealth(returned)).toStrictEqual(health)
  })

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [0, 'a number'],
    ['', 'an empty string'],
    [{}, 'an object'],
    [[], 'an empty array'],
    [{ status: '' }, 'an object'],
    [{ status: true }, 'an object'],
    [() => 'UP', 'a function'],
  ])('rejects %j', (returned, received) => {
    const message = `expected a status such as 'UP', or { status, details }, received ${received}`
    expect(() => toHealth(returned)).toThrow(new TypeError(message))
  })

  it('copies the details', () => {
    const details = { connections: { active: 1 } }
    const health = toHealth({ status: 'UP', details })
    details.connections.active = 2
    expect(health.details).toEqual({ connections: { active: 1 } })
  })

  it('converts errors in the details to text', () => {
    const error = new Error('connect ECONNREFUSED', { cause: new Error('no route') })
    expect(toHealth({ status: 'DOWN', details: { error, host: 'db' } }).details).toEqual({
      error: 'Error: connect ECONNREFUSED; cause: Error: no route',
      host: 'db',
    })
  })

  it('converts a BigInt to a number, or to a string beyond 2^53', () => {
    expect(toHealth({ status: 'UP', details: { free: 5n, all: [2n ** 64n, -(2n ** 53n)] } }).details).toEqual({
      free: 5,
      all: ['18446744073709551616', '-9007199254740992'],
    })
  })

  it('keeps the status if the details cannot be serialized', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const { status, details } = toHealth({ status: 'UP', details: circle })
    expect(status).toBe('UP')
    expect(details).toEqual({
      error: expect.stringMatching(/^the details cannot be serialized as JSON: TypeError: Converting circular/),
    })
    const throwing = {
      toJSON() {
        throw new Error('not now')
      },
    }
    expect(toHealth({ status: 'UP', details: throwing })).toEqual({
      status: 'UP',
      details: { error: 'the details cannot be serialized as JSON: Error: not now' },
    })
  })
})

describe('healthOfError', () => {
  it('is DOWN with the error', () => {
    expect([new TypeError('no'), 'no', undefined].map(healthOfError)).toEqual([
      { status: 'DOWN', details: { error: 'TypeError: no' } },
      { status: 'DOWN', details: { error: 'no' } },
      { status: 'DOWN', details: { error: 'undefined' } },
    ])
  })

  it('contains no password', () => {
    expect(
      healthOfError(new Error('cannot connect to postgres://app:hunter2@db/orders')).details?.['error'],
    ).not.toContain('hunter2')
  })
})
