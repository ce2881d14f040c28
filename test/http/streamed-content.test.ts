import { describe, expect, it, vi } from 'vitest'
import { endable, endOnAbort, readFirstChunk, reportFailure } from '../../src/http/streamed-content.ts'
import { readText } from '../support/read-text.ts'

/** Content with one buffer for all chunks, as a page of meters has. */
function borrowable(...texts: readonly string[]) {
  const memory = Buffer.alloc(16)
  async function* chunks() {
    for (const text of texts) yield memory.subarray(0, memory.write(text))
  }
  return { [Symbol.asyncIterator]: chunks, borrow: chunks }
}

/** An iterator that cannot be ended. */
function unendable(...texts: readonly string[]) {
  let at = 0
  const next = async () => {
    const value = texts[at++]
    return value === undefined ? { done: true as const, value } : { done: false as const, value }
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

const forever = () => new AbortController().signal

describe('readFirstChunk', () => {
  it('copies the chunks of reused memory for a reader that does not borrow', async () => {
    const content = await readFirstChunk(borrowable('one', 'two'), true, forever())
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(['one', 'two'])
  })

  it('reuses the memory for a reader that borrows', async () => {
    const content = await readFirstChunk(borrowable('one', 'two'), true, forever())
    const chunks: Uint8Array[] = []
    for await (const chunk of content.borrow?.() ?? []) chunks.push(chunk)
    expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(['two', 'two'])
  })

  it('does not borrow unless it is told to', async () => {
    const content = borrowable('one')
    const borrow = vi.spyOn(content, 'borrow')
    const begun = await readFirstChunk(content, false, forever())
    expect([begun.borrow, borrow.mock.calls]).toEqual([undefined, []])
    expect(await readText(begun)).toBe('one')
  })

  it.each([true, false])('encodes strings as UTF-8, also of content that cannot be lent (%s)', async (isBorrowed) => {
    expect(await readText(await readFirstChunk(unendable('h\u00e9', 'llo'), isBorrowed, forever()))).toBe('h\u00e9llo')
  })

  it('ends early although the content has no end to call', async () => {
    const client = new AbortController()
    const content = await readFirstChunk(unendable('one', 'two'), false, client.signal)
    const chunks = content[Symbol.asyncIterator]()
    expect((await chunks.next()).value).toEqual(Buffer.from('one'))
    expect(await chunks.return?.()).toEqual({ done: true, value: undefined })
    expect(() => client.abort()).not.toThrow()
  })

  it.each([
    ['before the first chunk', true],
    ['after it', false],
  ])('ends content whose client disconnects %s', async (_, isBefore) => {
    const client = new AbortController()
    const end = vi.fn(async () => ({ done: true as const, value: undefined }))
    const next = async () => ({ done: false as const, value: 'one' })
    if (isBefore) client.abort()
    await readFirstChunk({ [Symbol.asyncIterator]: () => ({ next, return: end }) }, false, client.signal)
    client.abort()
    expect(end).toHaveBeenCalledTimes(1)
  })
})

describe('reportFailure', () => {
  const failure = new Error('gone')
  async function* tear() {
    yield Buffer.from('a')
    throw failure
  }

  it('reports what is thrown while the content is read, lent or not', async () => {
    const failed = vi.fn()
    await expect(readText(reportFailure({ [Symbol.asyncIterator]: tear }, failed))).rejects.toBe(failure)
    const lent = reportFailure({ [Symbol.asyncIterator]: () => tear(), borrow: tear }, failed).borrow?.()
    await expect(readText(lent ?? tear())).rejects.toBe(failure)
    expect(failed.mock.calls).toEqual([[failure], [failure]])
  })

  it('lends content that cannot be lent as it is', async () => {
    const [one, failed] = [borrowable('one'), vi.fn()]
    const content = reportFailure({ [Symbol.asyncIterator]: one[Symbol.asyncIterator] }, failed)
    expect(await readText(content.borrow?.() ?? tear())).toBe('one')
    expect(failed).not.toHaveBeenCalled()
  })
})

describe('endable', () => {
  it('is iterated by a loop, and ended by one that stops', async () => {
    const end = vi.fn(async () => {})
    const chunks = endable(async () => ({ done: false, value: Buffer.from('a') }), end)
    for await (const chunk of chunks) {
      expect(chunk).toEqual(Buffer.from('a'))
      break
    }
    expect(end).toHaveBeenCalledTimes(1)
  })
})

describe('endOnAbort', () => {
  it('passes on a failure of the content, and says that it has ended', async () => {
    const ended = vi.fn()
    const failure = new Error('gone')
    const content = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) }
    const chunks = endOnAbort(content, forever(), ended)[Symbol.asyncIterator]()
    await expect(chunks.next()).rejects.toBe(failure)
    expect(ended).toHaveBeenCalledTimes(1)
  })

  it('ends a read that waits for a chunk, although the content has no end to call', async () => {
    const server = new AbortController()
    const ended = vi.fn()
    const content = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }
    const chunks = endOnAbort(content, server.signal, ended)[Symbol.asyncIterator]()
    const next = chunks.next()
    server.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(ended).toHaveBeenCalledTimes(1)
  })
})
