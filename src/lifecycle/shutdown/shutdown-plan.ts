import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import type { ShutdownHook, ShutdownOptions } from './shutdown-options.ts'
import type { PlannedStep } from './shutdown-step.ts'

/** What a shutdown will do. */
export interface ShutdownPlan {
  /** How long requests are served as ever. */
  readonly delayMilliseconds: number
  /** How long requests may take that are being answered then. */
  readonly timeoutMilliseconds: number
  /** What is done after them, one after another. */
  readonly hooks: readonly PlannedStep[]
  /** How long all of it takes at most, the delay excepted. */
  readonly longestMilliseconds: number
}

/**
 * Plans a shutdown by what the options are now; what the caller changes later does not count.
 *
 * @throws RangeError naming the duration that is none.
 */
export function planShutdown({ delay = '5s', timeout = '10s', hooks = [], flush = [] }: ShutdownOptions): ShutdownPlan {
  const delayMilliseconds = durationMilliseconds(delay, 'The delay of the shutdown')
  const timeoutMilliseconds = durationMilliseconds(timeout, 'The timeout of the shutdown')
  const planned = [
    ...hooks.map((hook, at) => planHook(hook, `hook ${at + 1}`, '5s')),
    ...flush.map((hook, at) => planHook(hook, `flush ${at + 1}`, '2s')),
  ]
  const longestMilliseconds = planned.reduce((sum, step) => sum + step.timeoutMilliseconds, timeoutMilliseconds)
  return { delayMilliseconds, timeoutMilliseconds, hooks: planned, longestMilliseconds }
}

function planHook(hook: ShutdownHook | ShutdownHook['run'], place: string, usual: Duration): PlannedStep {
  const { name, run, timeout = usual } = typeof hook === 'function' ? { name: hook.name, run: hook } : hook
  const known = name === '' ? place : name
  return { name: known, run, timeoutMilliseconds: durationMilliseconds(timeout, `The timeout of the hook ${known}`) }
}
