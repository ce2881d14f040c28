import { describe, expect, it } from 'vitest'
import { segmentsOf } from '../../../src/console/ui/health-strip.ts'

const now = 10_000_000
const begin = now - 3_600_000
const change = (at: number, from: string, to: string, path = 'db') => ({ at, path, from, to })

describe('the history of a component', () => {
  it('is its status if nothing changed', () => {
    expect(segmentsOf([], 'db', 'UP', now)).toEqual([{ from: begin, to: now, status: 'UP' }])
  })

  it('has a segment for each status, the earliest first', () => {
    const changes = [
      change(now - 10, 'UP', 'DOWN'),
      change(now - 20, 'DOWN', 'UP'),
      change(now - 30, 'UP', 'DOWN', 'x'),
    ]
    expect(segmentsOf(changes, 'db', 'DOWN', now)).toEqual([
      { from: begin, to: now - 20, status: 'DOWN' },
      { from: now - 20, to: now - 10, status: 'UP' },
      { from: now - 10, to: now, status: 'DOWN' },
    ])
  })

  it('begins an hour ago', () => {
    expect(segmentsOf([change(begin - 1, 'DOWN', 'UP')], 'db', 'UP', now)).toHaveLength(1)
  })
})
