import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { milliseconds } from './grammars.ts'
import type { VariableReader } from './variables.ts'

/** Twenty-three days: Node's timers fire at once where they are set for more than 24.8. */
const longest = 2_000_000_000

/** What a timer can be set for. */
export function boundedMilliseconds(value: number): number {
  return Math.min(value, longest)
}

/** The milliseconds of an option; where there is none, of the first of these variables that is set; where there is none, the usual. */
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
