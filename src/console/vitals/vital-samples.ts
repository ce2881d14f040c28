import type { Clock } from '../../base/clock.ts'
import { type VitalName, type Vitals, vitalNames } from '../documents.ts'
import { History } from './history.ts'
import type { ProcessVitals } from './process-vitals.ts'
import { RequestVitals } from './request-vitals.ts'

interface SamplerParts {
  readonly clock: Clock
  readonly process: Pick<ProcessVitals, 'read'>
  /** Returns the number of requests in progress; `null` if it is not known. */
  readonly active: () => number | null
}

/** Values of which a minute has the maximum, not the mean. */
const maxima: ReadonlySet<VitalName> = new Set(['active', 'loopDelay'])

/** Takes a sample each second, and one of all samples of a minute. */
export class Sampler {
  readonly seconds: History = new History(1, 15 * 60)
  readonly minutes: History = new History(60, 24 * 60)
  readonly #parts: SamplerParts
  readonly #second = new RequestVitals()
  readonly #minute = new RequestVitals()
  readonly #samples: Vitals[] = []
  readonly #subscribers = new Set<(vitals: Vitals) => void>()
  #latest: Vitals | undefined
  #lastAt: number

  constructor(parts: SamplerParts) {
    this.#parts = parts
    this.#lastAt = parts.clock.monotonicTime()
  }

  /** The requests since the last sample. */
  get requests(): RequestVitals {
    return this.#second
  }

  /** The latest sample; before the first one, nothing is measured. */
  get latest(): Vitals {
    return this.#latest ?? unmeasured(this.#parts.clock.wallTime())
  }

  get bytes(): number {
    return this.seconds.bytes + this.minutes.bytes
  }

  /** Calls a function with each sample. Returns an unsubscribe function. */
  subscribe(subscriber: (vitals: Vitals) => void): () => void {
    this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }

  /** Called each second. */
  sample(): Vitals {
    const { clock, process, active } = this.#parts
    const now = clock.monotonicTime()
    const seconds = Math.max(0.001, (now - this.#lastAt) / 1_000)
    this.#lastAt = now
    const vitals = { at: clock.wallTime(), ...this.#second.read(seconds), active: active(), ...process.read() }
    this.#minute.add(this.#second)
    this.#second.clear()
    this.#latest = vitals
    this.seconds.add(vitals)
    this.#samples.push(vitals)
    if (this.#samples.length >= this.minutes.step) this.#completeMinute()
    for (const notify of this.#subscribers) notify(vitals)
    return vitals
  }

  #completeMinute(): void {
    const joined = Object.fromEntries(vitalNames.map((name) => [name, join(name, this.#samples)]))
    const { p50, p95, p99 } = this.#minute.read(1)
    // Safe: the values of all names.
    this.minutes.add({ ...(joined as Record<VitalName, number | null>), p50, p95, p99, at: this.#samples[0]?.at ?? 0 })
    this.#samples.length = 0
    this.#minute.clear()
  }
}

function unmeasured(at: number): Vitals {
  const values = Object.fromEntries(vitalNames.map((name) => [name, null]))
  // Safe: the values of all names.
  return { ...(values as Record<VitalName, null>), at }
}

function join(name: VitalName, samples: readonly Vitals[]): number | null {
  const values = samples.map((sample) => sample[name]).filter((value) => value !== null)
  if (values.length === 0) return null
  return maxima.has(name) ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length
}
