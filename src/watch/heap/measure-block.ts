const everyMilliseconds = 20

/** Begins to measure. Returns a function that ends this, and returns for how long the event loop was blocked at most. */
export function measureBlock(): () => number {
  let last = performance.now()
  let longest = 0
  const turn = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - everyMilliseconds)
    last = now
  }
  const timer = setInterval(turn, everyMilliseconds)
  return () => {
    clearInterval(timer)
    turn()
    return Math.round(longest)
  }
}
