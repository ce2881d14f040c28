import { describe, expect, it, vi } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import { createRouter } from '../../src/http/router.ts'
import { requestWith } from '../support/management-request.ts'

describe('a change without a precondition', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'POST'])('by %s is made without a look at the resource', async (method) => {
    const get = vi.fn(() => undefined)
    const perform = vi.fn(() => undefined)
    const resource = { get, put: perform, patch: perform, delete: perform, post: perform }
    const context = {
      router: createRouter([{ path: 'a', resource }]),
      authorize: undefined,
      clock: { wallTime: () => 0, monotonicTime: () => 0 },
      report: () => {},
    }
    const { status } = await exchange({ ...requestWith({}), method }, '/a', context)
    expect([status, get.mock.calls.length, perform.mock.calls.length]).toEqual([204, 0, 1])
  })
})
