import { expect, it } from 'vitest'
import { RandomWords } from '../../src/ids/random.ts'

/** Writes 1, 2, 3, … and keeps hold of the memory that it was given. */
function countingSource() {
  let last = 0
  const given: Int32Array[] = []
  return {
    given,
    fill: (bytes: Uint8Array) => {
      const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
      for (const index of words.keys()) {
        last += 1
        words[index] = last
      }
      given.push(words)
    },
  }
}

it('returns each word once', () => {
  const words = new RandomWords(countingSource())
  const taken: number[] = []
  for (let round = 0; round < 2_000; round += 1) {
    for (let count = 0; count < 1 + (round % 7); count += 1) taken.push(words.next())
  }
  expect(taken).toStrictEqual(Array.from(taken, (_, index) => index + 1))
})

it('fills the pool at the first word, and in blocks', () => {
  const source = countingSource()
  const words = new RandomWords(source)
  expect(source.given).toHaveLength(0)
  words.next()
  expect(source.given.map((block) => block.byteLength)).toStrictEqual([8192])
  for (let count = 1; count < 2048; count += 1) words.next()
  expect(source.given).toHaveLength(1)
  words.next()
  expect(source.given).toHaveLength(2)
})

it('erases the words that it has returned', () => {
  const source = countingSource()
  const words = new RandomWords(source)
  for (let count = 0; count < 100; count += 1) words.next()
  const pool = [...(source.given[0] ?? [])]
  expect(pool.slice(0, 100)).toStrictEqual(Array(100).fill(0))
  expect(pool.slice(100, 103)).toStrictEqual([101, 102, 103])
})
