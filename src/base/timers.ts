/** A timer that is set for longer goes off at once. */
const longest = 2 ** 31 - 1

/** Sets a timer that keeps no process alive. */
export function setQuietTimer(then: () => void, milliseconds: number): NodeJS.Timeout {
  const timer = setTimeout(then, Math.min(milliseconds, longest))
  timer.unref?.()
  return timer
}
