import { tracedPool } from 'upkeep/instrumentation'
import { expect, it } from 'vitest'

it('a query of a wrapped pool is passed on unchanged and is not read while it is neither traced nor timed', () => {
  const requested: unknown[] = []
  const answer = Promise.resolve({ rows: [] })
  const query = (...args: unknown[]) => {
    requested.push(args)
    return answer
  }
  const pool = tracedPool({ query, connect: () => answer })
  const unread = {
    get text(): string {
      throw new Error('read')
    },
  }
  expect(pool.query(unread)).toBe(answer)
  expect(requested).toEqual([[unread]])
})
