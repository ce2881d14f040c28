import { HttpError } from 'upkeep'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeFailure, reportToLog } from '../../../examples/webhook-receiver/failure.ts'

describe('describeFailure', () => {
  it.each([
    [new Error('a'), 'a'],
    [new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a (b (c))'],
    [new AggregateError([new Error('a'), new Error('b')]), 'a; b'],
    [new AggregateError([new Error('a')], 'all failed'), 'all failed'],
    [new TypeError(''), 'TypeError'],
    ['text', 'text'],
    [undefined, 'undefined'],
  ])('tells %o in a line', (error, line) => {
    expect(describeFailure(error)).toBe(line)
  })
})

describe('reportToLog', () => {
  const lines: string[] = []
  beforeEach(() => {
    lines.length = 0
    vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('writes no hook key', () => {
    reportToLog(
      'POST /hooks/abcdefghijkmnopqrstuvwxyz2 failed',
      new HttpError(503, 'Later.', { cause: new Error('gone') }),
    )
    expect(lines).toEqual(['webhook-receiver: POST /hooks/… failed: Later. (gone)'])
  })

  it('tells of an unforeseen error where it was thrown', () => {
    reportToLog('POST /a failed', new Error('a bug'))
    expect(lines[0]).toMatch(/^webhook-receiver: POST \/a failed: Error: a bug\n +at .+failure\.test\.ts/)
  })

  it('needs no error', () => {
    reportToLog('capped')
    expect(lines).toEqual(['webhook-receiver: capped'])
  })
})
