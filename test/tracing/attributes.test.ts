import { describe, expect, it, vi } from 'vitest'
import {
  acceptedAttributes,
  apiExceptionAttributes,
  countDropped,
  errorMessage,
  exceptionAttributes,
  forEachAttribute,
  type joinAttributes,
  limitAttributes,
} from '../../src/tracing/spans/attributes.ts'
import { SpanExtras } from '../../src/tracing/spans/span-extras.ts'

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))

const passed = (...[initial, added]: [Parameters<typeof joinAttributes>[0], Parameters<typeof joinAttributes>[1]?]) => {
  const all: [string, unknown][] = []
  forEachAttribute(initial, added, (key, value) => all.push([key, value]))
  return all
}

describe('the attributes of a span', () => {
  it('that are deferred are passed without an object for them', () => {
    const compute = vi.fn(() => ({ a: 1 }))
    expect(passed({ compute, forEach: (add) => add('a', 1) })).toEqual([['a', 1]])
    expect(compute).not.toHaveBeenCalled()
  })

  it('that are deferred are computed where others were added, which replace them', () => {
    const forEach = vi.fn()
    const initial = { compute: () => ({ a: 1, b: 2 }), forEach }
    expect(passed(initial, { b: 3 })).toEqual([
      ['a', 1],
      ['b', 3],
    ])
    expect(forEach).not.toHaveBeenCalled()
  })

  it('that are deferred are computed where they cannot be passed', () => {
    expect(passed({ compute: () => ({ a: 1, b: undefined }) })).toEqual([['a', 1]])
  })

  it('may be absent', () => {
    expect(passed(undefined)).toEqual([])
    expect(passed(undefined, { a: 1 })).toEqual([['a', 1]])
  })

  it('are not copied up to 128 of them', () => {
    const attributes = many(128)
    expect(limitAttributes(attributes)).toBe(attributes)
    expect(countDropped(attributes)).toBe(0)
  })

  it('are limited to the first 128 that have a value', () => {
    const attributes = { none: undefined, ...many(130) }
    expect(Object.keys(limitAttributes(attributes))).toEqual(Object.keys(many(128)))
    expect(countDropped(attributes)).toBe(2)
    expect(passed(attributes)).toHaveLength(128)
  })
})

describe("attributes that OpenTelemetry's API passes", () => {
  it.each([[undefined], [null], ['text'], [7]])('are empty if they are %s', (given) => {
    expect(acceptedAttributes(given)).toEqual({})
  })

  it('are text, numbers, booleans, and arrays of one of these', () => {
    const mixed = { '': 1, function: () => {}, object: {}, list: [1, 'a'], nested: [[1]], objects: [{}] }
    const accepted = { a: 'a', b: 1, c: false, d: ['a', null, 'b'], e: [undefined, 1], f: [null] }
    expect(acceptedAttributes({ ...mixed, ...accepted })).toStrictEqual(accepted)
  })

  it('are independent of what the caller does with an array later', () => {
    const list = ['a']
    const accepted = acceptedAttributes({ list })
    list.push('b')
    expect(accepted).toEqual({ list: ['a'] })
  })
})

class OrderError extends Error {}

const unreadable = {
  get name(): string {
    throw new Error('no name')
  },
  toString: (): string => 'unreadable',
}

describe('an exception', () => {
  it('has a type, a message and a stack, without credentials', () => {
    const error = new OrderError('no connection to postgres://app:secret@db/orders')
    for (const attributes of [exceptionAttributes(error), apiExceptionAttributes(error)]) {
      expect(attributes['exception.type']).toBe('OrderError')
      expect(attributes['exception.message']).toMatch(/^no connection to postgres:\/\/(?!.*secret).*db\/orders$/)
      expect(attributes['exception.stacktrace']).toMatch(/no connection.*\n +at /)
      expect(attributes['exception.stacktrace']).not.toContain('secret')
    }
  })

  it('has no credentials in a stack that has another message', () => {
    const error = Object.assign(new Error('later'), { stack: 'Error: postgres://app:secret@db failed\n    at a.js:1' })
    expect(exceptionAttributes(error)['exception.stacktrace']).toMatch(/^Error: postgres:(?!.*secret).*\n +at a\.js:1$/)
  })

  it('is a stack as it is where there is no message', () => {
    const error = Object.assign(new Error(''), { stack: 'Error\n    at a.js:1' })
    expect(exceptionAttributes(error)).toEqual({
      'exception.type': 'Error',
      'exception.message': '',
      'exception.stacktrace': 'Error\n    at a.js:1',
    })
  })

  it.each([
    ['text', 'failed', { 'exception.type': 'string', 'exception.message': 'failed' }],
    ['null', null, { 'exception.type': 'object', 'exception.message': 'null' }],
    [
      'an object with the properties of an error',
      { name: 'QueryError', message: 'failed', stack: 'QueryError: failed\n    at a.js:1' },
      {
        'exception.type': 'QueryError',
        'exception.message': 'failed',
        'exception.stacktrace': 'QueryError: failed\n    at a.js:1',
      },
    ],
    ['an object with a name alone', { name: 'QueryError' }, { 'exception.type': 'QueryError' }],
    [
      'an object whose stack is not text',
      { name: 'QueryError', message: 'm', stack: [] },
      { 'exception.type': 'QueryError', 'exception.message': 'm' },
    ],
    [
      'an object whose name is not text',
      { name: 7, toString: (): string => 'seven' },
      { 'exception.type': 'object', 'exception.message': 'seven' },
    ],
    [
      'an object whose message is not text',
      { name: 'QueryError', message: 7, toString: (): string => 'seven' },
      { 'exception.type': 'object', 'exception.message': 'seven' },
    ],
    ['an object that cannot be read', unreadable, { 'exception.type': 'object', 'exception.message': 'unreadable' }],
  ])("of OpenTelemetry's API may be %s", (_, exception, attributes) => {
    expect(apiExceptionAttributes(exception)).toEqual(attributes)
  })

  it('has an unknown type if its stack cannot be read', () => {
    const error = Object.defineProperty(new Error('m'), 'stack', {
      get: () => {
        throw new Error('no stack')
      },
    })
    expect(exceptionAttributes(error)).toEqual({ 'exception.type': 'unknown' })
  })

  it('has an unknown message if that cannot be read', () => {
    const message = () => expect.fail('read')
    expect(errorMessage(Object.defineProperty(new Error(''), 'message', { get: message }))).toBe('unknown')
    expect(errorMessage({ toString: message })).toBe('unknown')
  })
})

describe('a link', () => {
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }

  it('has attributes and a number of dropped ones only where there are any', () => {
    const extras = new SpanExtras()
    extras.addLink(context, {})
    extras.addLink(context, { a: 1 })
    extras.addLink(context, many(130))
    expect(extras.links).toStrictEqual([
      { context },
      { context, attributes: { a: 1 } },
      { context, attributes: many(128), droppedAttributesCount: 2 },
    ])
  })
})
