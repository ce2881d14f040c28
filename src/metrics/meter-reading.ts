import { createSafeCall, unexpected } from '../base/callback.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { checkMeterNames, type MeterOptions, meterForeignNames, type StoredMeter } from './meter.ts'
import type { MeterKind } from './meter-kind.ts'
import type { Tags } from './series/tags.ts'

/** The source of the values of a gauge, function counter or function timer. */
export interface Reading<T> {
  /** Returns the present value; `undefined` if the object that it is read from no longer exists, or reading failed. */
  read(): T | undefined
  readonly isGone: boolean
}

/** Options of a meter that is read from an object. They are ignored if the meter exists already. */
export interface ObjectReadingOptions extends MeterOptions {
  /** Whether the object is held weakly, so that the meter does not keep it alive. @default false */
  readonly weak?: boolean | undefined
}

/** Registers a function that is called when the meter is read, or an object and a function that reads from it. */
export interface RegisterReading<T, M> {
  /** Registers a meter without tags that is read by calling `read`. */
  (name: string, read: () => T, options?: MeterOptions): M
  /** Registers a meter with tags that is read by calling `read`. */
  (name: string, tags: Tags, read: () => T, options?: MeterOptions): M
  /** Registers a meter with tags that is read by calling `read` with the object. */
  <O extends object>(name: string, tags: Tags, object: O, read: (object: O) => T, options?: ObjectReadingOptions): M
}

/** A kind of meter whose values are read from a function. */
export interface ReadingKind<M extends StoredMeter, T> extends MeterKind<M, ReadMeterOptions<T>> {
  readonly parse: ParseReading<T>
  /**
   * Called when a meter is registered again: makes it read from the new function and returns `true`, or returns
   * `false`. Default: `false`.
   */
  follow?(meter: M, reading: Reading<T>): boolean
}

export interface ReadMeterOptions<T> extends MeterOptions {
  readonly reading: Reading<T>
}

/**
 * Returns the value that a function returned, or `undefined` if there is nothing to read yet. Throws for anything else.
 */
type ParseReading<T> = (value: unknown) => T | undefined

/** How the results of a reading's function are treated. */
export interface ReadingRules<T> {
  readonly parse: ParseReading<T>
  /** Called with the first failure, which affects this reading only. */
  readonly failed: (error: unknown) => void
}

/** The arguments with which a meter of a reading kind is registered. */
interface ReadingArguments<T> {
  readonly tags: Tags
  readonly options: ReadMeterOptions<T>
}

/**
 * Parses the three forms of `RegisterReading`: `read`, `tags, read` and `tags, object, read`, each followed by options.
 *
 * @throws TypeError if the function is missing.
 */
export function parseReadingArguments<T>(
  name: string,
  given: readonly unknown[],
  rules: ReadingRules<T>,
): ReadingArguments<T> {
  const tags = typeof given[0] === 'function' ? {} : (given[0] as Tags)
  const [first, second, third] = typeof given[0] === 'function' ? given : given.slice(1)
  if (typeof second === 'function') {
    const options = (third ?? {}) as ObjectReadingOptions
    requireKnownOptions(`meter '${name}'`, options, ['description', 'baseUnit', 'weak'], {
      foreignNames: meterForeignNames,
    })
    const reading = createReadingOf(first as object, second as (object: object) => T, options, rules)
    return { tags, options: { ...options, reading } }
  }
  if (typeof first !== 'function') throw unexpected(`a function that reads the meter '${name}'`, first)
  const reading = createReading(first as () => T, rules)
  const options = (second ?? {}) as MeterOptions
  checkMeterNames(`meter '${name}'`, options)
  return { tags, options: { ...options, reading } }
}

/** Creates a reading of a function. */
export function createReading<T>(read: () => T, { parse, failed }: ReadingRules<T>): Reading<T> {
  const call = createSafeCall<[], T | undefined>(parse, failed)
  return { read: () => call(read), isGone: false }
}

/** Returns a number; `undefined` for `undefined` and `null`. Throws `TypeError` for anything else. */
export function parseNumber(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return value
  throw unexpected('a number', value)
}

/** Creates a reading of a function that receives the object. */
function createReadingOf<O extends object, T>(
  object: O,
  read: (object: O) => T,
  { weak = false }: ObjectReadingOptions,
  rules: ReadingRules<T>,
): Reading<T> {
  return weak ? createWeakReading(new WeakRef(object), read, rules) : createStrongReading(object, read, rules)
}

// Two functions, because a closure retains everything that any other closure of the same function uses.

function createStrongReading<O, T>(object: O, read: (object: O) => T, rules: ReadingRules<T>): Reading<T> {
  return createReading(() => read(object), rules)
}

function createWeakReading<O extends object, T>(
  reference: WeakRef<O>,
  read: (object: O) => T,
  { parse, failed }: ReadingRules<T>,
): Reading<T> {
  const call = createSafeCall<[O], T | undefined>(parse, failed)
  return {
    read() {
      const object = reference.deref()
      return object && call(read, object)
    },
    get isGone() {
      return reference.deref() === undefined
    },
  }
}
