import { describe, expect, it } from 'vitest'
import { createLossReport } from '../../../src/otlp/delivery/loss-report.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const url = 'http://collector:4318/v1/metrics'

function setUp() {
  const clock = createManualClock()
  const reports: string[] = []
  return { clock, reports, losses: createLossReport('metrics', url, (message) => void reports.push(message), clock) }
}

describe('createLossReport', () => {
  it('reports the first loss of a kind immediately, and further ones as a sum, at most once a minute', () => {
    const { clock, reports, losses } = setUp()
    losses.add('failed', 5, '500 first')
    for (let second = 0; second < 59; second += 1) {
      clock.advance(1_000)
      losses.add('failed', 2, '500 second')
      if (second === 0) losses.add('rejected', 1, 'too old')
    }
    expect(reports).toEqual([
      `otlp: failed to export 5 data points to ${url}: 500 first`,
      `otlp: ${url} rejected 1 data point: too old`,
    ])
    clock.advance(1_000)
    losses.add('failed', 1, '500 last')
    expect(reports.slice(2)).toEqual([`otlp: failed to export 119 data points to ${url}: 500 last`])
  })

  it('reports the remaining losses at the end, without recovered failures', () => {
    const { reports, losses } = setUp()
    for (let count = 0; count < 2; count += 1) {
      losses.add('failed', 1, '503')
      losses.add('dropped', 7, 'the queue is full (9 spans)')
    }
    losses.recover()
    losses.flush()
    losses.flush()
    expect(reports.slice(2)).toEqual([`otlp: dropped 7 data points for ${url}: the queue is full (9 spans)`])
  })

  it('reports a warning at most once a minute', () => {
    const { clock, reports, losses } = setUp()
    losses.warn('deprecated')
    losses.warn('deprecated')
    clock.advance(60_000)
    losses.warn('again')
    expect(reports).toEqual(
      ['deprecated', 'again'].map((text) => `otlp: ${url} accepted data points with a warning: ${text}`),
    )
  })
})
