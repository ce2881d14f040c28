import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { RecorderOptions } from './recorder-options.ts'

/** Returns options with which each capture is also counted, by its rule. */
export function countCaptures(options: RecorderOptions, measure: () => MeterRegistry): RecorderOptions {
  const { onCapture } = options
  return {
    ...options,
    onCapture(capture) {
      const description = 'What the flight recorder has captured'
      measure().counter('upkeep.captures', { rule: capture.rule }, { description }).increment()
      return onCapture?.(capture)
    },
  }
}
