import { describe, expect, it } from 'vitest'
import { watchContent } from '../../../src/instrumentation/http-server/watched-content.ts'

type Ending = readonly [isWhole: boolean, error?: unknown]

async function watch(response: Response) {
  const endings: Ending[] = []
  const watched = await watchContent(response, (...ending) => void endings.push(ending))
  return { watched, endings }
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** Content that comes a piece a turn of the event loop, so that none of it is there early. */
function slowly(pieces: readonly string[], end: (controller: ReadableStreamDefaultController) => void) {
  const left = [...pieces]
  const cancelled: unknown[] = []
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      const piece = left.shift()
      if (piece === undefined) end(controller)
      else controller.enqueue(bytes(piece))
    },
    cancel: (reason) => void cancelled.push(reason),
  })
  return { content, cancelled }
}

const closing = (controller: ReadableStreamDefaultController) => controller.close()
const lost = new Error('the database went away')
const failing = (controller: ReadableStreamDefaultController) => controller.error(lost)

describe('a response without content', () => {
  it.each([
    [204, 'no content'],
    [205, 'reset'],
    [304, 'not modified'],
    [200, 'ok'],
  ])('with status %s has ended on return, and is unchanged', async (status) => {
    const response = new Response(null, { status, headers: { 'X-Own': 'a' } })
    const { watched, endings } = await watch(response)
    expect(watched).toBe(response)
    expect(endings).toEqual([[true]])
  })

  it('is the result of an empty stream, with a length', async () => {
    const { watched, endings } = await watch(new Response(new ReadableStream({ start: closing }), { status: 203 }))
    expect([watched.status, watched.body]).toEqual([203, null])
    expect(endings).toEqual([[true]])
  })
})

describe('a response whose content cannot be read', () => {
  it.each([
    ['is being read', (response: Response) => void response.body?.getReader()],
    ['was read', (response: Response) => response.text()],
    [
      'was read in part',
      async (response: Response) => {
        const reader = response.body?.getReader()
        await reader?.read()
        reader?.releaseLock()
      },
    ],
  ])('because it %s is left to the server, which reports it', async (_, use) => {
    const response = new Response(slowly(['one', 'two'], closing).content)
    await use(response)
    const { watched, endings } = await watch(response)
    expect(watched).toBe(response)
    expect(endings).toEqual([[true]])
  })

  it('because its first piece fails, rejects its reader with the same error', async () => {
    const response = new Response(new ReadableStream({ start: failing }))
    const { watched, endings } = await watch(response)
    expect(endings).toEqual([])
    await expect(watched.text()).rejects.toBe(lost)
    expect(endings).toEqual([[false, lost]])
  })
})

describe('content that is available', () => {
  it.each([
    ['text', 'orders'],
    ['bytes', bytes('orders')],
    ['a blob', new Blob(['orders'])],
    ['a stream of one piece', new Blob(['orders']).stream()],
  ])('as %s stays in one piece, and has ended', async (_, content) => {
    const headers = { 'Content-Type': 'text/x-orders', 'X-Own': 'a' }
    const { watched, endings } = await watch(new Response(content, { status: 201, statusText: 'Made', headers }))
    expect(endings).toEqual([[true]])
    expect([watched.status, watched.statusText, await watched.text()]).toEqual([201, 'Made', 'orders'])
    expect(Object.fromEntries(watched.headers)).toEqual({ 'content-type': 'text/x-orders', 'x-own': 'a' })
  })
})

describe('streamed content', () => {
  it('has ended when all of it was read', async () => {
    const { watched, endings } = await watch(new Response(slowly(['one ', 'two ', 'three'], closing).content))
    const reader = watched.body?.getReader()
    for (const piece of ['one ', 'two ', 'three']) {
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(piece)
      expect(endings).toEqual([])
    }
    expect((await reader?.read())?.done).toBe(true)
    expect(endings).toEqual([[true]])
  })

  it('is complete if only its first pieces are available early', async () => {
    const slow = slowly(['three'], closing).content.getReader()
    const early = ['one ', 'two '].map(bytes)
    const content = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = early.length > 0 ? { done: false, value: early.shift() } : await slow.read()
        if (done) controller.close()
        else controller.enqueue(value as Uint8Array)
      },
    })
    const { watched, endings } = await watch(new Response(content))
    expect(await watched.text()).toBe('one two three')
    expect(endings).toEqual([[true]])
  })

  it('is not read ahead of its reader', async () => {
    let made = 0
    const content = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
          controller.enqueue(bytes(`${++made}`))
        },
      },
      { highWaterMark: 0 },
    )
    const { watched } = await watch(new Response(content))
    const reader = watched.body?.getReader()
    await reader?.read()
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
    expect(made).toBeLessThanOrEqual(2)
    await reader?.cancel()
  })

  it('is incomplete if it fails midway, and rejects its reader with the same error', async () => {
    const { watched, endings } = await watch(new Response(slowly(['one', 'two'], failing).content))
    await expect(watched.text()).rejects.toBe(lost)
    expect(endings).toEqual([[false, lost]])
  })

  it.each([
    ['before it is read', 0],
    ['after a piece', 1],
  ])('is incomplete if cancelled %s, and its source is cancelled', async (_, pieces) => {
    const { content, cancelled } = slowly(['one', 'two', 'three'], closing)
    const { watched, endings } = await watch(new Response(content))
    const reader = watched.body?.getReader()
    for (let read = 0; read < pieces; read++) await reader?.read()
    await reader?.cancel('the client left')
    expect(endings).toEqual([[false]])
    expect(cancelled).toEqual(['the client left'])
  })
})
