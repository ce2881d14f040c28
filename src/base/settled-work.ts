type Done = (failed: boolean, error?: unknown) => void

/**
 * Runs a function and says when all of it is done: once it has returned, and then, where it returned a promise or a
 * generator, once that has settled or ended. The caller gets what the function returned, or something that behaves like it.
 */
export function onSettled<R>(work: () => R, done: Done): R {
  const result = attempt(work, done)
  // One that is no real promise may fail in its `then` already.
  if (isThenable(result)) return attempt(() => watchPromise(result, done), done) as R
  if (isGenerator(result)) return watchGenerator(result, done) as R
  if (isAsyncGenerator(result)) return watchAsyncGenerator(result, done) as R
  done(false)
  return result
}

/** The name that tells an error from others: its own, else its class's. Never empty, and never a failure of its own. */
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
