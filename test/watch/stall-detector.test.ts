import { describe, expect, it } from 'vitest'
import { createStallDetector } from '../../src/watch/stall-detector.ts'

/** A stall of 500 ms, and a beat every 100 ms. */
function detector() {
  let now = 0
  const created = createStallDetector({ stallMilliseconds: 500, beatMilliseconds: 100 }, now)
  return {
    check(beats: number, passed = 100, expected = 0) {
      now += passed
      return created.check(beats, now, expected)
    },
    blocked: () => created.blockedMilliseconds,
  }
}

describe('a stall detector', () => {
  it('reports no stall while the heartbeat increases', () => {
    const { check, blocked } = detector()
    expect([1, 2, 3].map((beats) => check(beats))).toEqual(['turning', 'turning', 'turning'])
    expect(blocked()).toBe(0)
  })

  it('reports a stall, and its end, if the heartbeat has not increased for the duration and one beat', () => {
    const { check, blocked } = detector()
    check(1)
    const states = Array.from({ length: 8 }, () => check(1))
    expect(states).toEqual([...Array.from({ length: 6 }, () => 'turning'), 'begun', 'stalled'])
    expect([check(2), blocked()]).toEqual(['ended', 800])
    expect([check(2), blocked()]).toEqual(['turning', 100])
    expect([check(3), blocked()]).toEqual(['turning', 0])
  })

  it('reports no stall for as long as a block is expected, and one after that', () => {
    const { check, blocked } = detector()
    check(1)
    const states = Array.from({ length: 10 }, () => check(1, 100, 300))
    expect(states).toEqual([...Array.from({ length: 9 }, () => 'turning'), 'begun'])
    expect([check(2), blocked()]).toEqual(['ended', 1_000])
    for (let times = 0; times < 9; times += 1) expect(check(2, 100, 300)).toBe('turning')
    expect([check(3), blocked()]).toEqual(['turning', 0])
  })

  it('counts at most two beats of a time in which it did not run itself', () => {
    const { check, blocked } = detector()
    check(1)
    expect([check(1, 60_000), blocked()]).toEqual(['turning', 200])
  })
})
