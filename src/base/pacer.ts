import type { Clock } from './clock.ts'
import { nextTurn } from './timers.ts'

/**
 * How long a slice lasts, in milliseconds. A garbage collection of a millisecond may come on top, and together they are
 * to block the event loop for less than two.
 */
const sliceMilliseconds = 0.5

/** Divides long work into slices, with a turn of the event loop for others between them. */
interface Pacer {
  /** Whether the current slice has lasted for half of a millisecond. */
  isDue(): boolean
  /** Ends the current slice. Resolves when the next one may begin. */
  yield(): Promise<void>
}

/** Creates a pacer whose first slice begins now. */
export function createPacer(clock: Clock): Pacer {
  let began = clock.monotonicTime()
  return {
    isDue: () => clock.monotonicTime() - began >= sliceMilliseconds,
    async yield() {
      await nextTurn()
      began = clock.monotonicTime()
    },
  }
}
