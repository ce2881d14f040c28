import type { ManagementRequest, MessageBody, MessageHeaders } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'
import { type JsonBodyOptions, readJsonBody, readOptionalJsonBody } from '../../../src/http/conventions/request-body.ts'

const json = { 'content-type': 'application/json' }

function post(body: () => MessageBody, headers: MessageHeaders = json): ManagementRequest {
  return { method: 'POST', target: '/', headers, body, base: '' }
}

/** A body that arrives in these chunks; counts those read, and records whether it was ended early. */
function arriving(...pieces: readonly (string | Uint8Array | Error)[]) {
  const seen = { taken: 0, ended: false }
  const bytes: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const piece = pieces[seen.taken]
        if (piece === undefined) return { done: true, value: undefined }
        seen.taken++
        if (piece instanceof Error) throw piece
        return { done: false, value: typeof piece === 'string' ? new TextEncoder().encode(piece) : piece }
      },
      return: async () => {
        seen.ended = true
        return { done: true, value: undefined }
      },
    }),
  }
  return { seen, body: (): MessageBody => ({ kind: 'bytes', bytes }) }
}

const unread = (): MessageBody => {
  throw new Error('the body was asked for')
}

const read = (text: string | Uint8Array, headers?: MessageHeaders, options?: JsonBodyOptions) =>
  readJsonBody(post(arriving(text).body, headers), options)

describe('readJsonBody', () => {
  it.each([
    ['{"text":"h\u00e9llo \u{1f600}"}', { text: 'h\u00e9llo \u{1f600}' }],
    ['null', null],
    [' [1] ', [1]],
    ['\ufeff{}', {}],
    ['"\\ud800"', '\ud800'],
  ])('reads %j', async (text, value) => {
    expect(await read(text)).toEqual(value)
  })

  it('reads a character that arrives in two chunks', async () => {
    const { body } = arriving(Uint8Array.of(0x22, 0xc3), Uint8Array.of(0xa9, 0x22))
    expect(await readJsonBody(post(body))).toBe('\u00e9')
  })

  it('returns the value of a body parser unchanged', async () => {
    const value = { text: 'a' }
    expect(await readJsonBody(post(() => ({ kind: 'parsed', value })))).toBe(value)
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; a=b',
  ])('accepts %s as JSON', async (type) => {
    expect(await read('1', { 'content-type': type })).toBe(1)
  })

  it('accepts other configured media types', async () => {
    const mediaTypes = ['application/json', 'application/merge-patch+json']
    expect(await read('1', { 'content-type': 'application/merge-patch+json' }, { mediaTypes })).toBe(1)
  })

  it.each([
    undefined,
    '',
    'text/plain',
    'application/json, text/plain',
    'application/json5',
    'application/problem+json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;charset',
  ])('refuses %j with 415 before reading the body', async (type) => {
    await expect(readJsonBody(post(unread, { 'content-type': type }))).rejects.toMatchObject({
      status: 415,
      message: 'The body must be application/json in UTF-8.',
      headers: { Accept: 'application/json' },
    })
  })

  it('refuses a length over the limit with 413 before reading the body', async () => {
    const tooLong = { ...json, 'content-length': '11' }
    await expect(readJsonBody(post(unread, tooLong), { limitBytes: 10 })).rejects.toMatchObject({
      status: 413,
      message: 'The body must not be longer than 10 bytes.',
    })
  })

  it.each([
    ['"12345678"', 10, '12345678'],
    ['"123456\u00e9"', 10, '123456\u00e9'],
    [`"${'x'.repeat(65_534)}"`, undefined, 'x'.repeat(65_534)],
  ])('reads as many bytes as the limit permits: %.12s', async (text, limitBytes, value) => {
    expect(await read(text, json, limitBytes === undefined ? {} : { limitBytes })).toBe(value)
  })

  it.each([
    ['"123456789"', 10],
    ['"1234567\u00e9"', 10],
    [`"${'x'.repeat(65_535)}"`, undefined],
    ['1', 0],
  ])('refuses one byte more with 413: %.12s', async (text, limitBytes) => {
    const options = limitBytes === undefined ? {} : { limitBytes }
    await expect(read(text, json, options)).rejects.toMatchObject({ status: 413 })
  })

  it('reads the rest of a body that is too long, and keeps the connection open', async () => {
    const { seen, body } = arriving('"12345', '67890', '1234', '5"')
    await expect(readJsonBody(post(body), { limitBytes: 10 })).rejects.toMatchObject({ status: 413 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toEqual({ taken: 4, ended: false })
  })

  it('ignores an error in the rest of a body that is too long', async () => {
    const { seen, body } = arriving('"12345', '67890', new Error('aborted'), '5"')
    await expect(readJsonBody(post(body), { limitBytes: 10 })).rejects.toMatchObject({ status: 413 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toEqual({ taken: 3, ended: false })
  })

  it.each<[string | Uint8Array, string]>([
    ['', 'nothing'],
    ['{', 'half an object'],
    ['{"a":1,}', 'a comma too many'],
    ['{} {}', 'two values'],
    ['undefined', 'no JSON'],
    [Uint8Array.of(0x22, 0xff, 0x22), 'no UTF-8'],
    [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'a surrogate in UTF-8'],
    [Uint8Array.of(0xff, 0xfe, 0x31, 0x00), 'UTF-16'],
  ])('refuses %j with 400: %s', async (text, _) => {
    await expect(read(text)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The body (must be|is empty; expected) (JSON|UTF-8)\.$/),
    })
  })

  it('refuses an incomplete body with 400', async () => {
    const aborted = new Error('aborted')
    await expect(readJsonBody(post(arriving('{"a":', aborted).body))).rejects.toMatchObject({
      status: 400,
      message: 'The body is incomplete.',
      cause: aborted,
    })
  })
})

describe('readOptionalJsonBody', () => {
  const parsed = (value: unknown) => () => ({ kind: 'parsed', value }) as const

  it.each([
    ['no bytes', arriving().body, {}],
    ['a length of 0, whatever a parser made of it', parsed({}), { 'content-length': ' 0 ' }],
    ['nothing that a parser made', parsed(undefined), {}],
  ])('returns undefined for %s, of any type', async (_, body, headers) => {
    expect(await readOptionalJsonBody(post(body, headers))).toBeUndefined()
  })

  it.each([
    ['bytes', () => arriving('{"a":1}').body(), { a: 1 }],
    ['a parsed value', parsed({ a: 1 }), { a: 1 }],
    ['a parsed value that is false', parsed(false), false],
  ])('returns the value of %s', async (_, body, value) => {
    expect(await readOptionalJsonBody(post(body))).toEqual(value)
    expect(
      await readOptionalJsonBody(post(body, { 'content-type': 'text/x-json' }), { mediaTypes: ['text/x-json'] }),
    ).toEqual(value)
  })

  it.each([
    ['of another type', { 'content-type': 'text/plain' }, {}, 415],
    ['over the limit', json, { limitBytes: 3 }, 413],
    ['that announces more than the limit', { ...json, 'content-length': '4' }, { limitBytes: 3 }, 413],
    ['that is too deep', json, { maxDepth: 1 }, 400],
  ])('refuses a body %s with %s', async (_, headers, options, status) => {
    const body = arriving('[[1]]').body
    await expect(readOptionalJsonBody(post(body, headers), options)).rejects.toMatchObject({ status })
  })

  it('accepts a body of exactly the limit', async () => {
    const headers = { ...json, 'content-length': '3' }
    expect(await readOptionalJsonBody(post(arriving('[1]').body, headers), { limitBytes: 3 })).toEqual([1])
  })
})
