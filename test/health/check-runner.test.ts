import { describe, expect, it, vi } from 'vitest'
import { type CheckRunnerOptions, createCheckRunner } from '../../src/health/checks/check-runner.ts'
import { createManualClock } from '../support/manual-clock.ts'

/** Creates a function that runs a check which takes this long. */
function runnerWith(options: Partial<CheckRunnerOptions>) {
  const clock = createManualClock()
  const { createRun } = createCheckRunner({ clock, report: () => {}, ...options })
  return (milliseconds: number, path = 'db') =>
    createRun({
      path,
      check: () => 'UP',
      timeoutMilliseconds: 5_000,
      invoke: (_, onResult) => {
        clock.advance(milliseconds)
        onResult({ status: 'UP' })
      },
    }).start()
}

describe('a check runner', () => {
  it('reports a slow check once, and again after it has been fast', () => {
    const report = vi.fn()
    const run = runnerWith({ report })
    for (const milliseconds of [999, 1_000, 2_000, 1_000, 200, 1_500]) run(milliseconds)
    expect(report.mock.calls.map(([message]) => message)).toEqual([
      'health: db is slow: the check took 1000 ms and returned UP',
      'health: db is slow: the check took 1500 ms and returned UP',
    ])
  })

  it('reports each component separately, from a configurable duration on', () => {
    const report = vi.fn()
    const run = runnerWith({ report, slowMilliseconds: 50 })
    run(50, 'db/primary')
    run(50, 'db/replica')
    expect(report.mock.calls.map(([message]) => message)).toEqual([
      'health: db/primary is slow: the check took 50 ms and returned UP',
      'health: db/replica is slow: the check took 50 ms and returned UP',
    ])
  })

  it('reports an onCheck that throws, and tolerates a report that throws', () => {
    const report = vi.fn()
    const fail = () => {
      throw new Error('no meter')
    }
    runnerWith({ report, onCheck: fail })(100)
    expect(report.mock.calls).toEqual([['failed to record health.check', new Error('no meter')]])
    expect(() => runnerWith({ report: fail, onCheck: fail })(2_000)).not.toThrow()
  })
})
