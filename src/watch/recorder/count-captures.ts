import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Capture } from './capture.ts'
import type { RecorderOptions } from './recorder-options.ts'

/** Returns options with which each capture is also counted, by its rule, and passed to `notify`. */
export function countCaptures(
  options: RecorderOptions,
  measure: () => MeterRegistry,
  notify: (capture: Capture) => void,
): RecorderOptions {
  const { onCapture } = options
  return {
    ...options,
    onCapture(capture) {
      const description = 'What the flight recorder has captured'
      measure().counter('upkeep.captures', { rule: capture.rule }, { description }).increment()
      notify(capture)
      return onCapture?.(capture)
    },
  }
}
