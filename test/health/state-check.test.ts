import type { Health } from 'upkeep'
import { systemClock } from 'upkeep/adapter'
import { describe, expect, it, vi } from 'vitest'
import { createStateCheck } from '../../src/health/checks/state-check.ts'
import { checkRunnerWith } from '../support/check-runner.ts'

function stateOf(...states: readonly (string | Health)[]) {
  const left = [...states]
  const onStatusChange = vi.fn()
  const { check, latest } = createStateCheck(
    { state: () => left.shift() ?? 'UNKNOWN' },
    checkRunnerWith(systemClock, { onStatusChange }),
  )
  return { read: () => check(0), latest: () => latest(0), onStatusChange }
}

describe('createStateCheck', () => {
  it('reads the state each time', () => {
    const { read } = stateOf('UP', { status: 'DOWN', details: { a: 1 } }, 'UP')
    expect([read(), read(), read()]).toEqual([
      { status: 'UP' },
      { status: 'DOWN', details: { a: 1 } },
      { status: 'UP' },
    ])
  })

  it('returns the same object while the state is the same', () => {
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

  it('reports each change of status, including the first status', () => {
    const { read, onStatusChange } = stateOf('UP', 'UP', { status: 'UP', details: { a: 1 } }, 'DOWN', 'DOWN')
    const calls = [1, 2, 3, 4, 5].map(() => {
      void read()
      return onStatusChange.mock.calls.length
    })
    expect(calls).toEqual([1, 1, 1, 2, 2])
  })

  it('can be read without reporting a change', () => {
    const { latest, onStatusChange } = stateOf('UP', 'DOWN')
    expect([latest(), latest()]).toEqual([{ status: 'UP' }, { status: 'DOWN' }])
    expect(onStatusChange).not.toHaveBeenCalled()
  })
})
