import { describe, expect, it } from 'vitest'
import { problem, send } from '../support/note-resources.ts'

/** Sends a request for digits, and returns its status, the fields of ranges, and the content. */
async function read(target: string, range: string | undefined, method = 'GET') {
  const { status, headers, body } = await send(target, { method, headers: range === undefined ? {} : { range } })
  const chunks: Uint8Array[] = []
  if (typeof body === 'string') chunks.push(new TextEncoder().encode(body))
  else if (body instanceof Uint8Array) chunks.push(body)
  else for await (const chunk of body ?? []) chunks.push(Buffer.from(chunk))
  const { 'Content-Range': selected, 'Content-Length': length, 'Accept-Ranges': unit } = headers
  return { status, selected, length, unit, text: Buffer.concat(chunks).toString(), headers }
}

describe('content of which a part can be read', () => {
  it.each([
    [undefined, 200, undefined, '0123456789'],
    ['bytes=0-0', 206, 'bytes 0-0/10', '0'],
    ['bytes=2-4', 206, 'bytes 2-4/10', '234'],
    ['bytes=7-', 206, 'bytes 7-9/10', '789'],
    ['bytes=-2', 206, 'bytes 8-9/10', '89'],
    ['bytes=0-99', 206, 'bytes 0-9/10', '0123456789'],
    ['lines=1-2', 200, undefined, '0123456789'],
  ])('with Range: %s has status %s and Content-Range: %s', async (range, status, selected, text) => {
    expect(await read('/digits', range)).toMatchObject({ status, selected, text, length: String(text.length) })
  })

  it('says that it has parts, and keeps the other fields', async () => {
    expect((await read('/digits', 'bytes=1-2')).headers).toMatchObject({ 'Accept-Ranges': 'bytes', 'X-Kind': 'digits' })
    expect((await read('/digits', undefined)).headers).toMatchObject({ 'Accept-Ranges': 'bytes', 'X-Kind': 'digits' })
  })

  it('has the entity tag of its content, and a copy stays fresh by it', async () => {
    expect((await read('/digits', undefined)).headers['ETag']).toBe('"v1"')
    const { status, headers, body } = await send('/digits', { headers: { 'if-none-match': '"v1"' } })
    expect([status, headers, body]).toEqual([
      304,
      { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '0', ETag: '"v1"' },
      null,
    ])
  })

  it.each(['bytes=10-', 'bytes=-0'])('with Range: %s, which selects nothing, is a 416 with the size', async (range) => {
    const { status, selected, text } = await read('/digits', range)
    expect([status, selected]).toEqual([416, 'bytes */10'])
    expect(problem(text).detail).toBe('Range not satisfiable; the size is 10 bytes.')
  })

  it('has the fields but no content for HEAD, which ignores a range', async () => {
    expect(await read('/digits', 'bytes=2-4', 'HEAD')).toMatchObject({ status: 200, length: '10', text: '' })
  })

  it('is whole as the result of a change', async () => {
    expect(await read('/digits', 'bytes=2-4', 'POST')).toMatchObject({ status: 201, text: '0123456789' })
  })

  it('may be empty', async () => {
    expect(await read('/nothing', undefined)).toMatchObject({ status: 200, length: '0', text: '' })
    expect(await read('/nothing', 'bytes=0-')).toMatchObject({ status: 416, selected: 'bytes */0' })
  })
})
