import { lazy } from '../base/lazy.ts'

const crypto = lazy(() => process.getBuiltinModule('node:crypto'))

/** Where random bytes come from. */
export interface RandomSource {
  /** Fills all of `bytes` with bits that nobody can foresee. */
  fill(bytes: Uint8Array): void
}

const systemRandom: RandomSource = {
  fill: (bytes) => {
    crypto().randomFillSync(bytes)
  },
}

const wordsInPool = 2048

/** Random words out of a pool of 8 KiB, which is filled anew when it is empty. */
export class RandomWords {
  readonly #source: RandomSource
  readonly #words = new Int32Array(wordsInPool)
  #used = wordsInPool

  constructor(source: RandomSource) {
    this.#source = source
  }

  /** 32 random bits, as a signed number. They are wiped from the pool, so that nothing can read there what they were. */
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

/** The pool that all of this thread share; a worker thread loads this module, and so fills a pool, of its own. */
const ofThisThread = new RandomWords(systemRandom)

/** The words of `source`, or those that this thread draws from the system. */
export function randomWords(source: RandomSource | undefined): RandomWords {
  return source === undefined ? ofThisThread : new RandomWords(source)
}
