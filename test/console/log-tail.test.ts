import { describe, expect, it } from 'vitest'
import { LogTail } from '../../src/console/log-tail.ts'
import type { LogEvent } from '../../src/logging/events/sinks.ts'

function event(message: string, given: Partial<LogEvent> = {}): LogEvent {
  return {
    ...{ time: 1_000, level: 'INFO', severity: 9, logger: 'orders', message },
    ...{ error: undefined, attributes: {}, trace: undefined },
    ...given,
  }
}

function messagesOf({ records }: ReturnType<LogTail['read']>): readonly string[] {
  return records.map(({ message }) => message)
}

describe('LogTail', () => {
  it('shows the latest record first, at most as many as are asked for', () => {
    const tail = new LogTail(2 ** 20)
    for (const message of ['a', 'b', 'c']) tail.add(event(message))
    expect(messagesOf(tail.read({}))).toEqual(['c', 'b', 'a'])
    expect(messagesOf(tail.read({ limit: 2 }))).toEqual(['c', 'b'])
  })

  it.each([
    ['of at least a severity', { severity: 13 }, ['warned']],
    ['of a logger and those below it', { logger: 'db' }, ['below', 'queried']],
    ['with a text in any case', { text: 'QUER' }, ['queried']],
    ['of a trace', { traceId: 't1' }, ['traced']],
    ['after another', { after: 3 }, ['traced', 'below']],
  ])('shows records %s', (_, filter, expected) => {
    const tail = new LogTail(2 ** 20)
    tail.add(event('warned', { severity: 13 }))
    tail.add(event('dbx', { logger: 'dbx' }))
    tail.add(event('queried', { logger: 'db' }))
    tail.add(event('below', { logger: 'db.pool' }))
    tail.add(event('traced', { trace: { traceId: 't1', spanId: 's1', flags: 1, tracestate: undefined } as never }))
    expect(messagesOf(tail.read(filter))).toEqual(expected)
  })

  it('continues after the latest record of an earlier response', () => {
    const tail = new LogTail(2 ** 20)
    tail.add(event('a'))
    const { latest } = tail.read({})
    tail.add(event('b'))
    expect(messagesOf(tail.read({ after: latest }))).toEqual(['b'])
    expect(messagesOf(tail.read({ after: tail.read({}).latest }))).toEqual([])
  })

  it('stays within its budget and counts what it drops', () => {
    const tail = new LogTail(32 * 1_024)
    for (let at = 0; at < 5_000; at++) tail.add(event(`message ${at}`))
    const { records, dropped } = tail.read({ limit: 1_000 })
    expect(tail.bytes).toBeLessThanOrEqual(32 * 1_024)
    expect(records.length + dropped).toBe(5_000)
    expect(records[0]?.message).toBe('message 4999')
  })

  it('does not keep a record of more than 64 KiB', () => {
    const tail = new LogTail(2 ** 20)
    tail.add(event('x'.repeat(100_000)))
    expect(tail.read({})).toEqual({ records: [], latest: 1, dropped: 1 })
  })

  it('does not keep a record whose fields have more than 64 KiB', () => {
    const tail = new LogTail(2 ** 20)
    tail.add(event('a', { attributes: { order: { lines: ['x'.repeat(30_000), 'y'.repeat(30_000)] } } }))
    expect(tail.read({})).toEqual({ records: [], latest: 1, dropped: 1 })
  })

  it('shows no credentials', () => {
    const tail = new LogTail(2 ** 20)
    const error = { type: 'Error', message: 'password=canary', stack: 'Error: password=canary' }
    tail.add(event('connect postgres://app:canary@db', { error, attributes: { url: 'redis://:canary@cache' } }))
    expect(JSON.stringify(tail.read({}))).not.toContain('canary')
  })
})
