import { expect, it } from 'vitest'
import { addTraceCosts, largestCost, type TraceCosts } from '../../../src/console/why/trace-costs.ts'
import type { EndedSpan } from '../../../src/tracing/spans/span-recorder.ts'

type Given = Pick<EndedSpan, 'kind' | 'startTime' | 'duration' | 'attributes'>

/** A span from one time to another, in seconds. */
function spanOf(kind: number, from: number, to: number, attributes: Given['attributes'] = {}): EndedSpan {
  const given: Given = { kind, startTime: [from, 0], duration: [to - from, 0], attributes }
  // Safe: only these members are read.
  return { name: 'call', ...given } as EndedSpan
}

it('finds where the time of a trace went', () => {
  const costs: TraceCosts = new Map()
  addTraceCosts(costs, [
    spanOf(2, 1, 7, { 'db.system.name': 'postgresql', 'db.namespace': 'orders' }),
    spanOf(2, 6, 8, { 'server.address': 'payments', 'server.port': 80 }),
    spanOf(1, 0, 10),
  ])
  expect([...costs]).toEqual([
    ['database postgresql/orders', 6],
    ['host payments:80', 2],
    ['own code', 3],
  ])
  expect(largestCost(costs)).toEqual({ target: 'database postgresql/orders', share: 6 / 11 })
  expect(largestCost(new Map())).toBeUndefined()
})
