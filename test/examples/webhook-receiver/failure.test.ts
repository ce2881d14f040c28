import { describe, expect, it } from 'vitest'
import { describeFailure } from '../../../examples/webhook-receiver/failure.ts'

describe('describeFailure', () => {
  it.each([
    [new Error('a'), 'a'],
    [new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a (b (c))'],
    [new AggregateError([new Error('a'), new Error('b')]), 'a; b'],
    [new AggregateError([new Error('a')], 'all failed'), 'all failed'],
    [new TypeError(''), 'TypeError'],
    ['text', 'text'],
    [undefined, 'undefined'],
  ])('describes %o in one line', (error, line) => {
    expect(describeFailure(error)).toBe(line)
  })
})
