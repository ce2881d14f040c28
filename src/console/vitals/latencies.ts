/** Durations up to this many seconds are in the first bucket. */
const lowest = 50e-6

/** Buckets per factor of two: a quantile is off by at most 13 %. */
const perOctave = 3

/** The last bucket begins at 83 s. */
const buckets = 64

/** The memory of an instance, in bytes. */
export const latenciesBytes: number = 64 * 4 + 120

/** The distribution of durations, in buckets that grow by a constant factor. Recording allocates nothing. */
export class Latencies {
  readonly #counts: Uint32Array = new Uint32Array(buckets)
  #count = 0
  #maximum = 0

  get count(): number {
    return this.#count
  }

  /** The longest duration in seconds; `null` without one. */
  get maximum(): number | null {
    return this.#count === 0 ? null : this.#maximum
  }

  record(seconds: number): void {
    const at = bucketOf(seconds)
    this.#counts[at] = (this.#counts[at] as number) + 1
    this.#count += 1
    if (seconds > this.#maximum) this.#maximum = seconds
  }

  add(other: Latencies): void {
    for (let at = 0; at < buckets; at++) {
      this.#counts[at] = (this.#counts[at] as number) + (other.#counts[at] as number)
    }
    this.#count += other.#count
    this.#maximum = Math.max(this.#maximum, other.#maximum)
  }

  /** Returns the middle of the bucket of a quantile, in seconds; `null` without a duration. */
  quantile(quantile: number): number | null {
    if (this.#count === 0) return null
    let rank = Math.max(1, Math.ceil(quantile * this.#count))
    for (let at = 0; at < buckets; at++) {
      rank -= this.#counts[at] as number
      if (rank <= 0) return Math.min(this.#maximum, at === 0 ? lowest : lowest * 2 ** ((at - 0.5) / perOctave))
    }
    return this.#maximum
  }

  /** Returns how many durations are in buckets above that of `seconds`. */
  countAbove(seconds: number): number {
    let count = 0
    for (let at = bucketOf(seconds) + 1; at < buckets; at++) count += this.#counts[at] as number
    return count
  }

  clear(): void {
    if (this.#count === 0) return
    this.#counts.fill(0)
    this.#count = 0
    this.#maximum = 0
  }
}

function bucketOf(seconds: number): number {
  const bucket = seconds <= lowest ? 0 : Math.ceil(Math.log2(seconds / lowest) * perOctave)
  return bucket < buckets ? bucket : buckets - 1
}
