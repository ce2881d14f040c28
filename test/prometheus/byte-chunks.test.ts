import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundTails, writeBucketLines } from '../../src/prometheus/exposition/bucket-lines.ts'
import { ByteChunks } from '../../src/prometheus/exposition/byte-chunks.ts'
import { formatBound } from '../../src/prometheus/exposition/numbers.ts'

const anyText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 200, maxLength: 400 }),
  fc.constant('\ud800'),
)

describe('ByteChunks', () => {
  it('collects strings as UTF-8, in chunks of the given size', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.integer({ min: 1, max: 500 }), (texts, size) => {
        const out = new ByteChunks(size)
        for (const text of texts) {
          out.write(text)
          out.reserve(0)
        }
        const chunks = out.take(true)
        const longest = Math.max(size, ...texts.map((text) => Buffer.byteLength(text)))
        expect(Buffer.concat(chunks).toString()).toBe(texts.map((text) => Buffer.from(text).toString()).join(''))
        for (const chunk of chunks) {
          expect(chunk.length).toBeGreaterThan(0)
          expect(chunk.length).toBeLessThanOrEqual(longest)
        }
      }),
    )
  })

  it('returns full chunks, and the last one only on request', () => {
    const out = new ByteChunks(10)
    out.write('0123456')
    out.reserve(0)
    expect(out.full).toBe(0)
    expect(out.take(false)).toEqual([])
    out.write('789abc')
    out.reserve(0)
    expect(out.full).toBe(7)
    expect(out.take(false).map(String)).toEqual([String(Buffer.from('0123456'))])
    expect(out.full).toBe(0)
    expect(out.take(true)).toEqual([Buffer.from('789abc')])
    expect(out.take(true)).toEqual([])
  })

  it('encodes what is long, without a call of reserve', () => {
    const out = new ByteChunks(8_192)
    out.write('a'.repeat(8_192))
    out.write('b'.repeat(8_191))
    expect(out.full).toBe(0)
    out.write('b')
    expect(out.full).toBe(8_192)
    expect(Buffer.concat(out.take(true)).toString()).toBe('a'.repeat(8_192) + 'b'.repeat(8_192))
  })

  it('reuses the memory of a chunk for what fits in it', () => {
    const out = new ByteChunks(8)
    const take = (text: string) => {
      out.write(text)
      const [chunk, ...others] = out.take(true)
      expect([`${chunk}`, others]).toEqual([text, []])
      return chunk ?? Buffer.of()
    }
    const first = take('12345678')
    out.reuse(first)
    const longer = take('longer than a chunk')
    out.reuse(longer)
    expect([out.take(true), out.take(true)]).toEqual([[], []])
    expect(take('abcdefgh').buffer).toBe(first.buffer)
    expect(take('ijklmnop').buffer).not.toBe(first.buffer)
  })

  it('does not modify a chunk that it has returned', () => {
    const out = new ByteChunks(4)
    out.write('abcd')
    const [first] = out.take(true)
    out.write('wxyz')
    out.take(true)
    expect(first).toEqual(Buffer.from('abcd'))
  })
})

describe('writeBucketLines', () => {
  const counts = fc.oneof(
    fc.nat(20),
    fc.nat(),
    fc.constantFrom(9, 10, 99, 999_999_999, 1_000_000_000, 2 ** 31, 2 ** 53, 1e21),
  )
  const buckets = fc.array(fc.record({ bound: fc.double({ noNaN: true }), count: counts, remark: anyText }), {
    minLength: 1,
    maxLength: 20,
  })

  it('writes the same as joining the lines', () => {
    fc.assert(
      fc.property(anyText, buckets, fc.boolean(), fc.integer({ min: 1, max: 2_000 }), (start, list, remarked, size) => {
        const out = new ByteChunks(size)
        out.write('before\n')
        const bounds = list.slice(1).map(({ bound }) => bound)
        const remarks = remarked ? list.map(({ remark }) => remark) : []
        const total = writeBucketLines(
          out,
          start,
          boundTails(bounds),
          list.map(({ count }) => count),
          remarks,
        )
        out.write('after\n')
        let sum = 0
        const lines = list.map(({ count }, index) => {
          sum += count
          const bound = bounds[index] ?? Number.POSITIVE_INFINITY
          return `${start}${formatBound(bound)}"} ${sum}${remarks[index] ?? ''}\n`
        })
        const text = Buffer.concat(out.take(true)).toString()
        expect(text).toBe(Buffer.from(`before\n${lines.join('')}after\n`).toString())
        expect(total).toBe(sum)
      }),
    )
  })
})
