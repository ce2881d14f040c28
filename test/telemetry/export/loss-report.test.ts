import { describe, expect, it } from 'vitest'
import { createLossReport } from '../../../src/telemetry/export/loss-report.ts'
import { createManualClock } from '../../support/manual-clock.ts'

describe('a loss report', () => {
  it('tells the first loss at once, and the others together, once a minute at most', () => {
    const clock = createManualClock()
    const told: string[] = []
    const losses = createLossReport((message) => void told.push(message), clock)
    losses.add('traces', 5, new Error('first'))
    for (let second = 0; second < 59; second += 1) {
      clock.advance(1_000)
      losses.add('traces', 2, new Error('second'))
      losses.add('metrics', 1, new Error('third'))
    }
    expect(told).toEqual(['OTLP: 5 spans did not arrive. first'])
    clock.advance(1_000)
    losses.add('traces', 1, new Error('last'))
    expect(told.slice(1)).toEqual(['OTLP: 119 spans and 59 data points did not arrive. last'])
    losses.flush()
    expect(told).toHaveLength(2)
    losses.add('metrics', 1, undefined)
    losses.flush()
    expect(told.slice(2)).toEqual(['OTLP: 1 data point did not arrive.'])
  })
})
