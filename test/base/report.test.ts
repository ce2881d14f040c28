import { reportToConsole } from 'upkeep/adapter'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { contain } from '../../src/base/report.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('reportToConsole', () => {
  it('writes the package name, the message and the cause, if present', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const cause = new Error('why')
    reportToConsole('a check failed', cause)
    reportToConsole('a meter was capped')
    expect(error.mock.calls).toEqual([['upkeep: a check failed', cause], ['upkeep: a meter was capped']])
  })
})

describe('contain', () => {
  it('passes on the message and the cause', () => {
    const report = vi.fn()
    const cause = new Error('why')
    contain(report)('it failed', cause)
    expect(report.mock.calls).toEqual([['it failed', cause]])
  })

  it('ignores errors and rejections of the report', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    contain(() => {
      throw new Error('no console')
    })('it failed')
    const rejecting: () => unknown = () => Promise.reject(new Error('no network'))
    contain(rejecting)('it failed')
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})
