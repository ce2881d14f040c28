import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventParser } from '../../../src/console/ui/event-stream.ts'

function parse(...chunks: readonly string[]) {
  const next = createEventParser()
  return chunks.flatMap((chunk) => next(chunk))
}

describe('an event stream', () => {
  it.each([
    ['an event', 'event: sample\ndata: {"a":1}\n\n', [{ event: 'sample', data: '{"a":1}' }]],
    ['an event without a name', 'data:a\n\n', [{ event: 'message', data: 'a' }]],
    ['data of several lines', 'data: a\ndata\ndata:  b\n\n', [{ event: 'message', data: 'a\n\n b' }]],
    ['all line breaks', 'data: a\r\rdata: b\r\n\r\n', ['a', 'b'].map((data) => ({ event: 'message', data }))],
    ['a comment', ': keep-alive\n\n', []],
    ['other fields', 'id: 1\nretry: 5\n\n', []],
    ['a byte order mark', '\ufeffdata: a\n\n', [{ event: 'message', data: 'a' }]],
    ['an event that is not complete', 'data: a\n', []],
  ])('has %s', (_, text, events) => {
    expect(parse(text)).toEqual(events)
  })

  it('has the same events however it is divided', () => {
    const text = 'event: a\r\ndata: 1\r\n\r\n: x\n\rdata: 2\r\rdata: 3\ndata: 4\n\n'
    const whole = parse(text)
    expect(whole).toHaveLength(3)
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const places = [0, ...[...cuts].sort((a, b) => a - b), text.length]
        expect(parse(...places.slice(1).map((place, at) => text.slice(places[at], place)))).toEqual(whole)
      }),
    )
  })

  it('drops an event that is too long, and continues', () => {
    const long = 'x'.repeat(2_500_000)
    expect(parse(`data: ${long}\ndata: ${long}\n\n`, 'data: a\n\n')).toEqual([{ event: 'message', data: 'a' }])
  })
})
