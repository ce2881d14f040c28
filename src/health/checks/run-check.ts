import { type Clock, systemClock } from '../../base/clock.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import { createHearing, type Hear } from './hearing.ts'
import { type Places, unlimitedPlaces } from './places.ts'
import { downBecause } from './to-health.ts'

/** Which part of its deadline a check may keep others from running, where there is a limit to how many do at once. */
const share = 1 / 5

/** A check under way: its answer, which comes by the deadline, and its end, which may come later or never. */
export interface RunningCheck {
  /** Never rejects: a check that fails, is late or answers rubbish is `DOWN` with `details.error`. */
  readonly health: Promise<Health>
  /** Resolves when the check itself settles, whatever became of it. */
  readonly ended: Promise<void>
}

export interface RunOptions {
  readonly hear?: Hear | undefined
  readonly places?: Places | undefined
  /** Where the check leaves how to give it up, for as long as its answer is awaited. */
  readonly endings?: Set<(reason: DOMException) => void> | undefined
  /** Told how long a check that had its turn took to be found healthy or not. */
  readonly observe?: ((health: Health, milliseconds: number) => void) | undefined
  readonly clock?: Clock | undefined
}

/**
 * Runs a check once, when it has its turn. At the deadline, which is counted from now, its signal aborts, and what it
 * says afterwards is not heard.
 */
export function runCheck(
  check: HealthCheck,
  timeoutMilliseconds: number,
  {
    hear = createHearing(),
    places = unlimitedPlaces,
    endings = new Set(),
    observe = () => {},
    clock = systemClock,
  }: RunOptions = {},
): RunningCheck {
  const controller = new AbortController()
  let begunAt: number | undefined
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })

  const health = new Promise<Health>((resolve) => {
    const askedAt = clock.monotonicTime()
    let [isFound, isWaiting] = [false, false]

    function find(found: Health): void {
      if (isFound) return
      isFound = true
      clearTimeout(deadline)
      endings.delete(giveUp)
      leave()
      if (begunAt !== undefined) observe(found, clock.monotonicTime() - begunAt)
      resolve(found)
    }

    function giveUp(reason: DOMException): void {
      find(downBecause(reason))
      if (begunAt === undefined) end()
      else controller.abort(reason)
    }

    const miss = (): void => {
      const what = begunAt === undefined ? 'no turn among the checks that run at once' : 'no answer'
      giveUp(new DOMException(`${what} within ${timeoutMilliseconds} ms`, 'TimeoutError'))
    }
    const deadline = setUnrefTimeout(miss, timeoutMilliseconds)
    endings.add(giveUp)

    const begin = (): void => {
      const now = clock.monotonicTime()
      // Its turn came with its deadline, as others' deadlines passed.
      if (isWaiting && now - askedAt >= timeoutMilliseconds) {
        miss()
        return
      }
      begunAt = now
      hear(
        () => check(controller.signal),
        (answer) => {
          find(answer)
          end()
        },
      )
    }
    const leave = places.enter(begin, timeoutMilliseconds * share)
    isWaiting = begunAt === undefined
  })
  return { health, ended }
}
