import type { Health } from '../indicator.ts'
import { downBecause, toHealth } from './to-health.ts'

/** Asks, and tells once what is answered, never at once; what throws, rejects or answers rubbish is `DOWN`. */
export type Hear = (ask: () => unknown, heard: (health: Health) => void) => void

/**
 * Hears what one check says. However often the check hands out the same promise, it is listened to once, and for the
 * latest who asked: one that never settles does not collect listeners.
 */
export function createHearing(): Hear {
  let open: { readonly answer: unknown; heard: (health: Health) => void } | undefined

  return (ask, heard) => {
    let answer: unknown
    try {
      answer = ask()
    } catch (error) {
      answer = Promise.reject(error)
    }
    if (open !== undefined && open.answer === answer) {
      open.heard = heard
      return
    }
    const hearing = { answer, heard }
    if (typeof answer === 'object' && answer !== null) open = hearing
    const tell = (health: Health): void => {
      if (open === hearing) open = undefined
      hearing.heard(health)
    }
    // Not Promise.resolve(): this one hears of everything that an odd promise throws.
    void new Promise<unknown>((resolve) => resolve(answer)).then(toHealth).catch(downBecause).then(tell)
  }
}
