import { createSafeCall } from '../base/callback.ts'

/** Where a meter that is read, rather than recorded into, has its value from. */
export interface Reading<T> {
  /** The present value; `undefined` when the object that it was read from is gone, or reading failed. */
  read(): T | undefined
  readonly isGone: boolean
}

export interface ReadingOptions {
  /** Whether to hold the object weakly, so that the meter does not keep it alive. @default false */
  readonly weak?: boolean | undefined
}

/** How the results of a reading's function are treated. */
export interface ReadingRules<T> {
  /** Returns the value that was read, or `undefined` if there is nothing to read yet. Throws for anything else. */
  readonly parse: (value: unknown) => T | undefined
  /** Called with the first failure, which affects this reading only. */
  readonly failed: (error: unknown) => void
}

/** Reads by a function. */
export function createReading<T>(read: () => T, { parse, failed }: ReadingRules<T>): Reading<T> {
  const call = createSafeCall<[], T | undefined>(parse, failed)
  return { read: () => call(read), isGone: false }
}

/** Reads from an object by a function that does not hold on to it. */
export function createReadingOf<O extends object, T>(
  object: O,
  read: (object: O) => T,
  { weak = false }: ReadingOptions,
  rules: ReadingRules<T>,
): Reading<T> {
  return weak ? createWeakReading(new WeakRef(object), read, rules) : createStrongReading(object, read, rules)
}

// Apart from each other, since a closure holds all that any other closure of the same function holds.

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
