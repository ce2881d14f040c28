import { type RandomSource, type RandomWords, randomWords } from '../ids/random.ts'
import { sampledFlag, type TraceContext } from '../ids/trace-context/traceparent.ts'

/** Decides whether a trace is sampled before anything is made for it: as its caller says, and of a root by chance. */
export class HeadSampler {
  readonly #probability: number | undefined
  readonly #words: RandomWords

  /** Without a `probability` all is sampled: what the sampler of the application's SDK leaves out is left to that. */
  constructor(probability: number | undefined, random: RandomSource | undefined) {
    this.#probability = probability
    this.#words = randomWords(random)
  }

  isSampled(parent: TraceContext | undefined): boolean {
    const probability = this.#probability ?? 1
    if (parent !== undefined) return this.#probability === undefined || (parent.flags & sampledFlag) === sampledFlag
    if (probability <= 0) return false
    return probability >= 1 || (this.#words.next() >>> 0) / 0x1_0000_0000 < probability
  }
}
