import { describe, expect, it } from 'vitest'
import { downBecause, toHealth } from '../../src/health/checks/to-health.ts'

const rubbish = new TypeError("a health check must answer a status such as 'UP', or { status, details }")

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
  ])('of %j is %j', (answer, health) => {
    expect(toHealth(answer)).toStrictEqual(health)
  })

  it.each([[undefined], [null], [true], [0], [''], [{}], [[]], [{ status: '' }], [{ status: true }], [() => 'UP']])(
    'is nothing that %j could be',
    (answer) => {
      expect(() => toHealth(answer)).toThrow(rubbish)
    },
  )

  it('keeps what was true then, whatever becomes of the details', () => {
    const details = { connections: { active: 1 } }
    const health = toHealth({ status: 'UP', details })
    details.connections.active = 2
    expect(health.details).toEqual({ connections: { active: 1 } })
  })

  it('tells an error among the details as text', () => {
    const error = new Error('connect ECONNREFUSED', { cause: new Error('no route') })
    expect(toHealth({ status: 'DOWN', details: { error, host: 'db' } }).details).toEqual({
      error: 'Error: connect ECONNREFUSED; cause: Error: no route',
      host: 'db',
    })
  })

  it('tells a BigInt as a number, or as text where a number would not be exact', () => {
    expect(toHealth({ status: 'UP', details: { free: 5n, all: [2n ** 64n, -(2n ** 53n)] } }).details).toEqual({
      free: 5,
      all: ['18446744073709551616', '-9007199254740992'],
    })
  })

  it('keeps the status when no JSON can be made of the details', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const { status, details } = toHealth({ status: 'UP', details: circle })
    expect(status).toBe('UP')
    expect(details).toEqual({
      error: expect.stringMatching(/^the details are no JSON: TypeError: Converting circular/),
    })
    const throwing = {
      toJSON() {
        throw new Error('not now')
      },
    }
    expect(toHealth({ status: 'UP', details: throwing })).toEqual({
      status: 'UP',
      details: { error: 'the details are no JSON: Error: not now' },
    })
  })
})

describe('downBecause', () => {
  it('is DOWN with what was thrown', () => {
    expect([new TypeError('no'), 'no', undefined].map(downBecause)).toEqual([
      { status: 'DOWN', details: { error: 'TypeError: no' } },
      { status: 'DOWN', details: { error: 'no' } },
      { status: 'DOWN', details: { error: 'undefined' } },
    ])
  })

  it('tells no password', () => {
    expect(
      downBecause(new Error('cannot connect to postgres://app:hunter2@db/orders')).details?.['error'],
    ).not.toContain('hunter2')
  })
})
