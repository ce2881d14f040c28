// How long the event loop of this process is held.

/**
 * Watches the event loop at each of its turns. Returns a function that ends it and tells, in milliseconds, the longest
 * turn, and the longest of those during which the system did not take the processor away, as it does on a busy machine;
 * and the number of those during which it did.
 */
export function watchLoop() {
  const seen = { longest: 0, undisturbed: 0, interrupted: 0 }
  let watching = true
  let last = performance.now()
  let switches = process.resourceUsage().involuntaryContextSwitches
  const turn = () => {
    const took = performance.now() - last
    const { involuntaryContextSwitches } = process.resourceUsage()
    seen.longest = Math.max(seen.longest, took)
    if (involuntaryContextSwitches === switches) seen.undisturbed = Math.max(seen.undisturbed, took)
    else seen.interrupted += 1
    switches = involuntaryContextSwitches
    last = performance.now()
    if (watching) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    watching = false
    turn()
    return seen
  }
}
