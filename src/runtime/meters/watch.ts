/** The interval at which a source is read. */
const everyMilliseconds = 10_000

/** The last result of a source that is read in the background. */
interface Watch<T> {
  /**
   * Returns the last value; `undefined` before the first one.
   *
   * @throws the error of the last read, if it failed.
   */
  readonly latest: () => T | undefined
  readonly stop: () => void
}

/** Reads a source now and every ten seconds, so that readers never wait; not while the previous read is pending. */
export function createWatch<T>(readSource: () => Promise<T>): Watch<T> {
  let read: () => T | undefined = () => undefined
  let isReading = false
  const look = async () => {
    if (isReading) return
    isReading = true
    try {
      const value = await readSource()
      read = () => value
    } catch (error) {
      read = () => {
        throw error
      }
    } finally {
      isReading = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), everyMilliseconds)
  timer.unref()
  return { latest: () => read(), stop: () => clearInterval(timer) }
}
