import { describe, expect, it } from 'vitest'
import { createStatusReader } from '../../src/cli/probe.ts'

describe('createStatusReader', () => {
  it.each([1, 7, 1_000])('finds the final status after interim responses, in pieces of %d characters', (length) => {
    const text = `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(40)}HTTP/1.0 204 No Content\r\n`
    const read = createStatusReader()
    let status: number | undefined
    for (let at = 0; at < text.length && status === undefined; at += length) status = read(text.slice(at, at + length))
    expect(status).toBe(204)
  })

  it('waits for the rest of a status line', () => {
    const read = createStatusReader()
    expect(read('HTTP/1.1 20')).toBeUndefined()
    expect(read('0\r')).toBe(200)
  })

  it.each(['220 mail.example\r\n', 'HTTP/2.0 200 OK\r\n', 'HTTP/1.1 2000 OK\r\n', 'HTTP/1.1 99 Low\r\n\r\n'])(
    'rejects %j',
    (text) => {
      expect(() => createStatusReader()(text)).toThrow('the response is not HTTP/1')
    },
  )

  it('throws for interim responses that do not end', () => {
    const read = createStatusReader()
    expect(() => {
      for (let count = 0; count < 100; count++) read(`HTTP/1.1 100 Continue\r\nX: ${'x'.repeat(1_000)}`)
    }).toThrow('no final response within 65536 bytes')
  })
})
