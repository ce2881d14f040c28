import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { milliseconds } from './grammars.ts'
import type { VariableReader } from './variables.ts'

/** 23 days: Node fires timers with delays over 24.8 days immediately. */
const maxMilliseconds = 2_000_000_000

/** Limits a delay to the range of timers. */
export function boundedMilliseconds(value: number): number {
  return Math.min(value, maxMilliseconds)
}

/** Returns the milliseconds of an option, else of the first variable that is set, else the default. */
export function readMilliseconds(
  duration: Duration | undefined,
  variables: VariableReader,
  names: readonly string[],
  usual: number,
): number {
  return boundedMilliseconds(
    duration === undefined
      ? (variables.read(names, milliseconds) ?? usual)
      : durationMilliseconds(duration, 'The duration'),
  )
}
