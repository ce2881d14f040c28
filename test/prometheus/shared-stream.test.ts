import { describe, expect, it } from 'vitest'
import { createSharedStreams, type SharedReading, type StreamSource } from '../../src/prometheus/shared-stream.ts'
import { measureLiveHeap } from '../support/collect-garbage.ts'
import { createManualClock } from '../support/manual-clock.ts'

/** A stream of this many chunks of one byte, from 0 on. */
function stream(length: number): StreamSource {
  async function* chunks() {
    for (let index = 0; index < length; index++) yield Uint8Array.of(index)
  }
  return { chunks: chunks(), reuse: () => {} }
}

async function countOf(reader: AsyncIterator<Uint8Array>): Promise<number> {
  let count = 0
  while (!(await reader.next()).done) count++
  return count
}

const readerOf = (reading: SharedReading) => reading[Symbol.asyncIterator]()

describe('streams', () => {
  it('cut off the reader that is farthest behind, whichever came first', async () => {
    const { read } = createSharedStreams(createManualClock())
    const start = () => stream(270)
    const [middle, slow, fast] = [1, 2, 3].map(() => readerOf(read('a', start)))
    if (middle === undefined || slow === undefined || fast === undefined) throw new Error('no reader')
    for (const reader of [middle, slow, fast]) await reader.next()
    for (let chunk = 1; chunk < 20; chunk++) await middle.next()
    expect(await countOf(fast)).toBe(269)
    await expect(slow.next()).rejects.toThrow('the reader of a scrape was cut off: it is too far behind the others')
    expect(await countOf(middle)).toBe(250)
  })

  it('continue after another one was garbage-collected with its readers', async () => {
    const clock = createManualClock()
    const { read } = createSharedStreams(clock)
    async function abandon() {
      const source = stream(2)
      await readerOf(read('abandoned', () => source)).next()
      return new WeakRef(source.chunks)
    }
    const abandoned = await abandon()
    clock.advance(1_000)
    expect(await countOf(readerOf(read('a', () => stream(3))))).toBe(3)
    const isCollected = async () => {
      await measureLiveHeap()
      return abandoned.deref() === undefined
    }
    await expect.poll(isCollected).toBe(true)
    expect(await countOf(readerOf(read('a', () => stream(3))))).toBe(3)
  })
})
