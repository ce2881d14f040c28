import type { RandomSource } from 'upkeep/ids'

/** Gives these words first, and from then on those that `rest` makes. */
export function fixedRandom(words: readonly number[], rest: () => number = () => 0): RandomSource {
  let given = 0
  return {
    fill: (bytes) => {
      const filled = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
      for (let index = 0; index < filled.length; index += 1) {
        filled[index] = given < words.length ? (words[given] ?? 0) : rest()
        given += 1
      }
    },
  }
}
