import { lazy } from '../base/lazy.ts'

const crypto = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:crypto'))

/** A source of random bytes. */
export interface RandomSource {
  /** Fills `bytes` with cryptographically secure random bits. */
  fill(bytes: Uint8Array): void
}

const systemRandom: RandomSource = {
  fill: (bytes) => {
    crypto().randomFillSync(bytes)
  },
}

const wordsInPool = 2048

/** Random words from a pool of 8 KiB, which is refilled when it is empty. */
export class RandomWords {
  readonly #source: RandomSource
  readonly #words = new Int32Array(wordsInPool)
  #used = wordsInPool

  constructor(source: RandomSource) {
    this.#source = source
  }

  /** Returns 32 random bits as a signed number, and erases them from the pool. */
  next(): number {
    if (this.#used === wordsInPool) {
      this.#source.fill(new Uint8Array(this.#words.buffer))
      this.#used = 0
    }
    const word = this.#words[this.#used] ?? 0
    this.#words[this.#used] = 0
    this.#used += 1
    return word
  }
}

/** Shared by this thread. A worker thread loads its own instance of this module, and so has its own pool. */
const sharedPool = new RandomWords(systemRandom)

/** Returns random words from `source`, or from the pool of this thread. */
export function randomWords(source: RandomSource | undefined): RandomWords {
  return source === undefined ? sharedPool : new RandomWords(source)
}
