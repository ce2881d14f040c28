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

/** Reads by a function; a failure is told once to `failed`, and costs this reading alone. */
export function createReading<T>(read: () => T, failed: (error: unknown) => void): Reading<T> {
  return { read: guard(read, failed), isGone: false }
}

/** Reads from an object by a function that does not hold on to it. */
export function createReadingOf<O extends object, T>(
  object: O,
  read: (object: O) => T,
  { weak = false }: ReadingOptions,
  failed: (error: unknown) => void,
): Reading<T> {
  return weak ? createWeakReading(new WeakRef(object), read, failed) : createStrongReading(object, read, failed)
}

// Apart from each other, since a closure holds all that any other closure of the same function holds.

function createStrongReading<O, T>(object: O, read: (object: O) => T, failed: (error: unknown) => void): Reading<T> {
  return createReading(() => read(object), failed)
}

function createWeakReading<O extends object, T>(
  reference: WeakRef<O>,
  read: (object: O) => T,
  failed: (error: unknown) => void,
): Reading<T> {
  const guarded = guard((object: O) => read(object), failed)
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
  failed: (error: unknown) => void,
): (...given: A) => T | undefined {
  let told = false
  return (...given) => {
    try {
      return read(...given)
    } catch (error) {
      if (!told) failed(error)
      told = true
      return undefined
    }
  }
}
