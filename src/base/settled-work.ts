type Done = (failed: boolean, error?: unknown) => void

/**
 * Runs a function, and calls `done` once when its work has ended: when it returns, or when the promise or the generator
 * that it returns has settled or ended. Returns what the function returned, or an equivalent promise or generator.
 */
export function onSettled<R>(work: () => R, done: Done): R {
  const result = attempt(work, done)
  // The `then` of a foreign promise may throw.
  if (isThenable(result)) return attempt(() => watchPromise(result, done), done) as R
  if (isGenerator(result)) return watchGenerator(result, done) as R
  if (isAsyncGenerator(result)) return watchAsyncGenerator(result, done) as R
  done(false)
  return result
}

/** Returns the name of an error, or of its class. Never empty, never throws. */
export function errorName(error: unknown): string {
  try {
    if (!(error instanceof Error)) return typeof error
    const names: readonly unknown[] = [error.name === 'Error' ? '' : error.name, error.constructor.name]
    return names.find(isName) ?? 'Error'
  } catch {
    return 'Error'
  }
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== ''
}

function attempt<R>(work: () => R, done: Done): R {
  try {
    return work()
  } catch (error) {
    done(true, error)
    throw error
  }
}

function watchPromise(promise: PromiseLike<unknown>, done: Done): PromiseLike<unknown> {
  return promise.then(
    (value) => {
      done(false)
      return value
    },
    (error: unknown) => {
      done(true, error)
      throw error
    },
  )
}

function* watchGenerator(generator: Generator, done: Done): Generator {
  let failure: { error: unknown } | undefined
  try {
    return yield* generator
  } catch (error) {
    failure = { error }
    throw error
  } finally {
    done(failure !== undefined, failure?.error)
  }
}

async function* watchAsyncGenerator(generator: AsyncGenerator, done: Done): AsyncGenerator {
  let failure: { error: unknown } | undefined
  try {
    return yield* generator
  } catch (error) {
    failure = { error }
    throw error
  } finally {
    done(failure !== undefined, failure?.error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && 'then' in value && typeof value.then === 'function'
}

function isGenerator(value: unknown): value is Generator {
  return isObject(value) && Object.prototype.toString.call(value) === '[object Generator]'
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator {
  return isObject(value) && Object.prototype.toString.call(value) === '[object AsyncGenerator]'
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
