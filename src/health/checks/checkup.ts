import { onlyFirst } from '../../base/callback.ts'
import type { Clock } from '../../base/clock.ts'
import { contain, type Report } from '../../base/report.ts'
import type { Status } from '../status.ts'
import { createPlaces, type Places, unlimitedPlaces } from './places.ts'

/** A check that was run, and what it found. */
export interface ObservedCheck {
  /** The path of the component, such as `db/primary`. */
  readonly component: string
  readonly status: Status
  readonly seconds: number
}

/** What the checks of one application share. */
export interface Checkup {
  readonly clock: Clock
  readonly places: Places
  /** How to end what is under way: checks, and timers of the background. */
  readonly endings: Set<(reason: DOMException) => void>
  /** Is told of each check that ran. Never throws. */
  readonly observe: (check: ObservedCheck) => void
  /** Is told when a component is found to be otherwise than before. Never throws. */
  readonly changed: () => void
}

export interface CheckupOptions {
  readonly clock: Clock
  readonly report: Report
  readonly changed?: () => void
  readonly concurrency?: number | undefined
  readonly slowMilliseconds?: number | undefined
  readonly onCheck?: ((check: ObservedCheck) => void) | undefined
}

export function createCheckup({
  clock,
  report,
  changed = () => {},
  concurrency = Number.POSITIVE_INFINITY,
  slowMilliseconds = 1_000,
  onCheck = () => {},
}: CheckupOptions): Checkup {
  const tell = contain(report)
  const slow = new Set<string>()
  const measuringFailed = onlyFirst((error) => tell('health.check could not be recorded', error))

  const observe = (check: ObservedCheck): void => {
    watchSpeed(check)
    try {
      onCheck(check)
    } catch (error) {
      measuringFailed(error)
    }
  }

  /** A slow check is told of once, and again after it was fast. */
  function watchSpeed({ component, status, seconds }: ObservedCheck): void {
    if (seconds * 1_000 < slowMilliseconds) slow.delete(component)
    else if (!slow.has(component)) {
      slow.add(component)
      tell(`the health check ${component} is slow: it took ${Math.round(seconds * 1_000)} ms, and found ${status}`)
    }
  }

  const places = concurrency === Number.POSITIVE_INFINITY ? unlimitedPlaces : createPlaces(concurrency)
  return { clock, places, endings: new Set(), observe, changed }
}
