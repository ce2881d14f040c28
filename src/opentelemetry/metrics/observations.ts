import type { BatchObservableCallback, ObservableCallback } from '@opentelemetry/api'
import { isPromise, onlyFirst } from '../../base/callback.ts'
import { withDeadline } from '../../base/deadline.ts'
import type { ReportMisuse } from './meter-factory.ts'
import {
  type ObservableCallbacks,
  ObservableInstrument,
  type Observation,
  type ObservedSeries,
} from './observable-instrument.ts'
import type { GivenAttributes } from './series-by-attributes.ts'

/** Half of the time that Prometheus waits for a scrape by default; the same as that of an OTLP export. */
const deadlineMilliseconds = 5_000

type Callback = ObservableCallback | BatchObservableCallback

interface Registered {
  readonly callback: Callback
  readonly observables: ReadonlySet<ObservableInstrument>
  readonly isBatch: boolean
  readonly failed: (error: unknown) => void
  /** Whether an earlier call has not settled. */
  isPending: boolean
}

/**
 * The callbacks of observable instruments. All of them are called when meters are about to be read; readers that come
 * meanwhile share the round. What a callback observes counts only if it succeeds in time, and replaces what was
 * observed in earlier rounds. A callback that fails is reported once; one that hangs is not called again, or waited
 * for, until it settles.
 */
export class Observations implements ObservableCallbacks {
  readonly #misuse: ReportMisuse
  readonly #registered: Registered[] = []
  readonly #series = new Set<ObservedSeries>()
  #round = 0
  #running: Promise<void> | undefined = undefined

  constructor(misuse: ReportMisuse) {
    this.#misuse = misuse
  }

  add(callback: Callback, observables: readonly ObservableInstrument[]): void {
    this.#add(callback, observables, false)
  }

  addBatch(callback: BatchObservableCallback, observables: readonly unknown[]): void {
    this.#add(callback, observables.filter(isObservable), true)
  }

  #add(callback: Callback, observables: readonly ObservableInstrument[], isBatch: boolean): void {
    if (typeof callback !== 'function' || observables.length === 0) {
      this.#misuse('a callback is ignored: expected a function and at least one observable instrument')
      return
    }
    if (this.#find(callback, observables, isBatch) !== -1) return
    const failed = onlyFirst((error: unknown) => {
      this.#misuse(`the callback ${JSON.stringify(callback.name)} of an observable instrument failed`, error)
    })
    this.#registered.push({ callback, observables: new Set(observables), isBatch, failed, isPending: false })
    for (const { series } of observables) this.#series.add(series)
  }

  remove(callback: Callback, observables: readonly ObservableInstrument[]): void {
    this.#remove(this.#find(callback, observables, false))
  }

  removeBatch(callback: BatchObservableCallback, observables: readonly unknown[]): void {
    this.#remove(this.#find(callback, observables.filter(isObservable), true))
  }

  #remove(index: number): void {
    if (index !== -1) this.#registered.splice(index, 1)
  }

  #find(callback: Callback, observables: readonly ObservableInstrument[], isBatch: boolean): number {
    const wanted = new Set(observables)
    return this.#registered.findIndex(
      (each) =>
        each.callback === callback &&
        each.isBatch === isBatch &&
        each.observables.size === wanted.size &&
        observables.every((one) => each.observables.has(one)),
    )
  }

  /** Calls all callbacks, and resolves when each has settled or its time is up. Never rejects. */
  refresh(): Promise<void> {
    this.#running ??= this.#observeAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Removes all callbacks and series. */
  clear(): void {
    this.#registered.length = 0
    this.#round += 1
    for (const series of this.#series) series.removeAllBut(this.#round)
  }

  async #observeAll(): Promise<void> {
    this.#round += 1
    const round = this.#round
    await Promise.all([...this.#registered].map((each) => this.#observe(each, round)))
    for (const series of this.#series) series.removeAllBut(round)
  }

  async #observe(registered: Registered, round: number): Promise<void> {
    if (registered.isPending) return
    const observed: Observation[] = []
    const { result, close } = collectInto(observed, registered)
    try {
      const work: unknown = (registered.callback as (result: unknown) => unknown)(result)
      if (isPromise(work)) {
        registered.isPending = true
        const settled = Promise.resolve(work).finally(() => {
          registered.isPending = false
        })
        await withDeadline(settled, deadlineMilliseconds, 'the callback')
      }
      for (const { series, at, value } of observed) series.set(at, value, round)
    } catch (error) {
      registered.failed(error)
    } finally {
      close()
    }
  }
}

function isObservable(observable: unknown): observable is ObservableInstrument {
  return observable instanceof ObservableInstrument
}

/** Creates the argument of a callback. After `close`, what it observes is ignored. */
function collectInto(observed: Observation[], { observables, isBatch }: Registered) {
  let isOpen = true
  const observe = (observable: unknown, value: unknown, attributes: GivenAttributes): void => {
    if (!isOpen || !isObservable(observable) || !observables.has(observable)) return
    const observation = observable.observation(value, attributes)
    if (observation !== undefined) observed.push(observation)
  }
  const [only] = observables
  return {
    result: {
      observe: isBatch ? observe : (value: unknown, attributes: GivenAttributes) => observe(only, value, attributes),
    },
    close: () => {
      isOpen = false
    },
  }
}
