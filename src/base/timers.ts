/** A timer that is set for longer goes off at once. */
const maxDelay = 2 ** 31 - 1

/** Sets a timer that keeps no process alive. */
export function setUnrefTimeout(then: () => void, milliseconds: number): NodeJS.Timeout {
  const timer = setTimeout(then, Math.min(milliseconds, maxDelay))
  timer.unref?.()
  return timer
}
