import type { Health } from 'upkeep'
import { systemClock } from 'upkeep/adapter'
import { describe, expect, it, vi } from 'vitest'
import { createStateHealth } from '../../src/health/checks/state-health.ts'
import { checkupWith } from '../support/checkup.ts'

function stateOf(...states: readonly (string | Health)[]) {
  const left = [...states]
  const changed = vi.fn()
  const { health, known } = createStateHealth(
    { state: () => left.shift() ?? 'UNKNOWN' },
    checkupWith(systemClock, { changed }),
  )
  return { read: () => health(0), known: () => known(0), changed }
}

describe('createStateHealth', () => {
  it('reads each time', () => {
    const { read } = stateOf('UP', { status: 'DOWN', details: { a: 1 } }, 'UP')
    expect([read(), read(), read()]).toEqual([
      { status: 'UP' },
      { status: 'DOWN', details: { a: 1 } },
      { status: 'UP' },
    ])
  })

  it('answers the same object while the state is the same', () => {
    const details = () => ({ status: 'UP', details: { a: [1] } })
    const { read } = stateOf(
      details(),
      details(),
      { status: 'UP', details: { a: [2] } },
      { status: 'UP', description: 'a' },
    )
    const [first, second, third, fourth] = [read(), read(), read(), read()]
    expect(first).toBe(second)
    expect(third).toEqual({ status: 'UP', details: { a: [2] } })
    expect(fourth).toEqual({ status: 'UP', description: 'a' })
  })

  it('reports a change when a read finds another status, the first one included', () => {
    const { read, changed } = stateOf('UP', 'UP', { status: 'UP', details: { a: 1 } }, 'DOWN', 'DOWN')
    const told = [1, 2, 3, 4, 5].map(() => {
      void read()
      return changed.mock.calls.length
    })
    expect(told).toEqual([1, 1, 1, 2, 2])
  })

  it('is known without being asked', () => {
    const { known, changed } = stateOf('UP', 'DOWN')
    expect([known(), known()]).toEqual([{ status: 'UP' }, { status: 'DOWN' }])
    expect(changed).not.toHaveBeenCalled()
  })
})
