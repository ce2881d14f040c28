import { describe, expect, it, vi } from 'vitest'
import { createPlaces, unlimitedPlaces } from '../../src/health/checks/places.ts'
import { holdTime } from '../support/fake-time.ts'

holdTime()

/** Guests by name, who stay until they are told to leave. */
function guestsOf(limit: number, holdMilliseconds = 1_000) {
  const places = createPlaces(limit)
  const begun: string[] = []
  const leave: Record<string, () => void> = {}
  const enter = (...names: readonly string[]) => {
    for (const name of names) leave[name] = places.enter(() => void begun.push(name), holdMilliseconds)
  }
  return { begun, enter, leave: (name: string) => leave[name]?.() }
}

describe('createPlaces', () => {
  it('lets in as many as there are places, and the others in their order', () => {
    const { begun, enter, leave } = guestsOf(2)
    enter('a', 'b', 'c', 'd')
    expect(begun).toEqual(['a', 'b'])
    leave('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    leave('a')
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    enter('e')
    expect(begun).toHaveLength(4)
  })

  it('takes a place back once, however often it is left', () => {
    const { begun, enter, leave } = guestsOf(1)
    enter('a', 'b', 'c')
    leave('a')
    leave('a')
    expect(begun).toEqual(['a', 'b'])
  })

  it('forgets who leaves while waiting', () => {
    const { begun, enter, leave } = guestsOf(1)
    enter('a', 'b', 'c')
    leave('b')
    leave('a')
    leave('b')
    expect(begun).toEqual(['a', 'c'])
  })

  it('takes a place back after a time, and not again when its guest leaves', async () => {
    const { begun, enter, leave } = guestsOf(1, 1_000)
    enter('a', 'b', 'c')
    await vi.advanceTimersByTimeAsync(999)
    expect(begun).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['a', 'b'])
    leave('a')
    expect(begun).toEqual(['a', 'b'])
  })

  it('leaves no timer behind', () => {
    const { enter, leave } = guestsOf(2)
    enter('a', 'b', 'c')
    for (const name of ['a', 'b', 'c']) leave(name)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('lets in somebody new who comes while another leaves', () => {
    const places = createPlaces(1)
    const begun: string[] = []
    const leave = places.enter(() => {
      begun.push('a')
      places.enter(() => void begun.push('b'), 1_000)
    }, 1_000)
    expect(begun).toEqual(['a'])
    leave()
    expect(begun).toEqual(['a', 'b'])
  })
})

describe('unlimitedPlaces', () => {
  it('lets everybody in at once, with no timer', () => {
    const begin = vi.fn()
    for (let guests = 0; guests < 100; guests++) unlimitedPlaces.enter(begin, 1_000)()
    expect([begin.mock.calls.length, vi.getTimerCount()]).toEqual([100, 0])
  })
})
