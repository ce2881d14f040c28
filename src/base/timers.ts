/** Node fires timers with a longer delay immediately. */
export const maxDelay: number = 2 ** 31 - 1

/** Like `setTimeout`, but does not keep the process alive. Longer delays are capped at 2^31 − 1 ms. */
export function setUnrefTimeout(callback: () => void, milliseconds: number): NodeJS.Timeout {
  const timer = setTimeout(callback, Math.min(milliseconds, maxDelay))
  timer.unref?.()
  return timer
}

/** Resolves after a delay, which is capped at 2^31 − 1 ms. Keeps the process alive. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, Math.min(milliseconds, maxDelay)))
}

/** Resolves in the next turn of the event loop, after pending input has been processed. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/** Runs work, with a turn of the event loop for others at each `yield`. */
export async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    await nextTurn()
  }
}
