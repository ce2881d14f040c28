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

/** What a reading is watched with. */
export interface ReadingWatch {
  /** What is wrong with a value that was read, as the end of a sentence about it; `undefined` when nothing is. */
  readonly faultOf: (value: unknown) => string | undefined
  /** Told once of a failure, which costs this reading alone. */
  readonly failed: (error: unknown) => void
}

/** Reads by a function. */
export function createReading<T>(read: () => T, watch: ReadingWatch): Reading<T> {
  return { read: guard(read, watch), isGone: false }
}

/** Reads from an object by a function that does not hold on to it. */
export function createReadingOf<O extends object, T>(
  object: O,
  read: (object: O) => T,
  { weak = false }: ReadingOptions,
  watch: ReadingWatch,
): Reading<T> {
  return weak ? createWeakReading(new WeakRef(object), read, watch) : createStrongReading(object, read, watch)
}

// Apart from each other, since a closure holds all that any other closure of the same function holds.

function createStrongReading<O, T>(object: O, read: (object: O) => T, watch: ReadingWatch): Reading<T> {
  return createReading(() => read(object), watch)
}

function createWeakReading<O extends object, T>(
  reference: WeakRef<O>,
  read: (object: O) => T,
  watch: ReadingWatch,
): Reading<T> {
  const guarded = guard((object: O) => read(object), watch)
  return {
    read() {
      const object = reference.deref()
      return object && guarded(object)
    },
    get isGone() {
      return reference.deref() === undefined
    },
  }
}

function guard<A extends unknown[], T>(
  read: (...given: A) => T,
  { faultOf, failed }: ReadingWatch,
): (...given: A) => T | undefined {
  let told = false
  return (...given) => {
    try {
      const value = read(...given)
      const fault = faultOf(value)
      if (fault === undefined) return value
      // A promise that is rejected later must not end the process for want of someone who waits for it.
      if (value instanceof Promise) value.catch(() => {})
      throw new TypeError(fault)
    } catch (error) {
      if (!told) failed(error)
      told = true
      return undefined
    }
  }
}
