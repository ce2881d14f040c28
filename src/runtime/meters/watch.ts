/** How often a watched source is asked. */
const everyMilliseconds = 10_000

/** What a source said the last time that it was asked. */
export interface Watch<T> {
  /**
   * `undefined` as long as it has not answered.
   *
   * @throws what it failed with, when it failed the last time.
   */
  readonly latest: () => T | undefined
  readonly stop: () => void
}

/** Asks now and every ten seconds, so that nobody who reads has to wait; never while it still owes an answer. */
export function createWatch<T>(ask: () => Promise<T>): Watch<T> {
  let read: () => T | undefined = () => undefined
  let asking = false
  const look = async () => {
    if (asking) return
    asking = true
    try {
      const value = await ask()
      read = () => value
    } catch (error) {
      read = () => {
        throw error
      }
    } finally {
      asking = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), everyMilliseconds)
  timer.unref()
  return { latest: () => read(), stop: () => clearInterval(timer) }
}
