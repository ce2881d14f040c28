import { systemClock } from 'upkeep/adapter'
import { describe, expect, it, vi } from 'vitest'
import { createCheckup } from '../../src/health/checks/checkup.ts'

const observed = (seconds: number, component = 'db') => ({ component, status: 'UP', seconds })

describe('a checkup', () => {
  it('tells of a slow check once, and again after it was fast', () => {
    const report = vi.fn()
    const { observe } = createCheckup({ clock: systemClock, report })
    for (const seconds of [0.999, 1, 2, 1, 0.2, 1.5]) observe(observed(seconds))
    expect(report.mock.calls.map(([message]) => message)).toEqual([
      'the health check db is slow: it took 1000 ms, and found UP',
      'the health check db is slow: it took 1500 ms, and found UP',
    ])
  })

  it('tells of each component by itself, from a time of its own on', () => {
    const report = vi.fn()
    const { observe } = createCheckup({ clock: systemClock, report, slowMilliseconds: 50 })
    observe(observed(0.05, 'db/primary'))
    observe(observed(0.05, 'db/replica'))
    expect(report.mock.calls.map(([message]) => message)).toEqual([
      'the health check db/primary is slow: it took 50 ms, and found UP',
      'the health check db/replica is slow: it took 50 ms, and found UP',
    ])
  })

  it('stands who is told and throws', () => {
    const report = vi.fn()
    const fail = () => {
      throw new Error('no meter')
    }
    const { observe } = createCheckup({ clock: systemClock, report, onCheck: fail })
    observe(observed(0.1))
    expect(report.mock.calls).toEqual([['health.check could not be recorded', new Error('no meter')]])
    expect(() => createCheckup({ clock: systemClock, report: fail, onCheck: fail }).observe(observed(2))).not.toThrow()
  })
})
