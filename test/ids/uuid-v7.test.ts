import fc from 'fast-check'
import { createUuidV7, uuidV7 } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../support/fixed-clock.ts'
import { fixedRandom } from '../support/fixed-random.ts'

const lastMillisecond = 2 ** 48 - 1

/** A generator whose count begins at `firstCount` and whose random bits are all `bits`. */
function uuidV7At(milliseconds: number, firstCount = 0, bits = 0) {
  const clock = fixedClock(milliseconds)
  const next = createUuidV7({ clock, random: fixedRandom([firstCount], () => bits) })
  return { clock, next }
}

describe('a version 7 UUID', () => {
  it('contains the milliseconds of RFC 9562 A.6', () => {
    expect(uuidV7At(0x017f22e279b0).next()).toBe('017f22e2-79b0-7000-8000-000000000000')
  })

  it.each([
    [0, 0, 0, '00000000-0000-7000-8000-000000000000'],
    [0, 1, 0, '00000000-0000-7000-8001-000000000000'],
    [0, 0x3fff, 0, '00000000-0000-7000-bfff-000000000000'],
    [0, 0x4000, 0, '00000000-0000-7001-8000-000000000000'],
    [0, 0x1ffffff, 0, '00000000-0000-77ff-bfff-000000000000'],
    [0, 0, -1, '00000000-0000-7000-8000-ffffffffffff'],
    [0xffff, 0, 0, '00000000-ffff-7000-8000-000000000000'],
    [0x10000, 0, 0, '00000001-0000-7000-8000-000000000000'],
    [0x7fffffffffff, 0, 0, '7fffffff-ffff-7000-8000-000000000000'],
    [0x800000000000, 0, 0, '80000000-0000-7000-8000-000000000000'],
    [lastMillisecond, 0x1ffffff, -1, 'ffffffff-ffff-77ff-bfff-ffffffffffff'],
  ])('of millisecond %i, count %i and random bits %i is %4$s', (milliseconds, count, bits, text) => {
    expect(uuidV7At(milliseconds, count, bits).next()).toBe(text)
  })

  it('is the number of its fields', () => {
    const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastMillisecond }), word, word, word, (milliseconds, seed, high, low) => {
        const next = createUuidV7({ clock: fixedClock(milliseconds), random: fixedRandom([seed, high, low]) })
        const count = BigInt(seed & 0x1ffffff)
        const random = (BigInt(high & 0xffff) << 32n) | BigInt(low >>> 0)
        const number =
          (BigInt(milliseconds) << 80n) |
          (7n << 76n) |
          ((count >> 14n) << 64n) |
          (2n << 62n) |
          ((count & 0x3fffn) << 48n) |
          random
        expect(next().replaceAll('-', '')).toBe(number.toString(16).padStart(32, '0'))
      }),
    )
  })
})

describe('the order of version 7 UUIDs', () => {
  /** Five million; fewer of mutated code, which is instrumented and takes a hundred times as long. */
  const count = process.env['UPKEEP_MUTATED'] === undefined ? 5_000_000 : 50_000

  it(`is strict, without repetition, over ${count} ids and a clock that steps both ways`, () => {
    const clock = fixedClock(Date.UTC(2026, 0, 1))
    const next = createUuidV7({ clock })
    let latest = ''
    let latestTime = clock.wallTime()
    let misplaced = 0
    let malformed = 0
    for (let made = 0; made < count; made += 1) {
      if (made % 16 === 0) clock.set(stepped(clock.wallTime(), latestTime))
      latestTime = Math.max(latestTime, clock.wallTime())
      const id = next()
      if (id <= latest) misplaced += 1
      if (id.charCodeAt(14) !== 0x37 || !isVariant(id.charCodeAt(19)) || id.length !== 36) malformed += 1
      latest = id
    }
    expect({ misplaced, malformed }).toStrictEqual({ misplaced: 0, malformed: 0 })
  })

  it('holds for any sequence of clock steps within the tolerance', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -3_000, max: 3_000 }), fc.integer({ min: 1, max: 5 })))
    fc.assert(
      fc.property(steps, fc.integer(), (all, seed) => {
        const clock = fixedClock(1_000_000)
        const next = createUuidV7({ clock, random: fixedRandom([], () => seed), beyondStepBack: 'throw' })
        const ids: string[] = []
        let latestTime = 1_000_000
        for (const [step, count] of all) {
          clock.set(Math.max(clock.wallTime() + step, latestTime - 10_000))
          latestTime = Math.max(latestTime, clock.wallTime())
          for (let made = 0; made < count; made += 1) ids.push(next())
        }
        expect(ids).toStrictEqual([...new Set(ids)].sort())
      }),
    )
  })

  it('restarts beyond the tolerance, with unique UUIDs', () => {
    const { clock, next } = uuidV7At(60_000)
    const first = next()
    clock.set(49_999)
    const second = next()
    expect(second < first).toBe(true)
    expect(next() > second).toBe(true)
  })

  it('is preserved by an error on request', () => {
    const clock = fixedClock(60_000)
    const next = createUuidV7({ clock, toleratedStepBack: '1s', beyondStepBack: 'throw' })
    const first = next()
    clock.set(58_999)
    expect(next).toThrow(RangeError)
    clock.set(59_000)
    expect(next() > first).toBe(true)
  })

  it('rejects a time before 1970 or beyond 48 bits', () => {
    expect(uuidV7At(-1).next).toThrow(RangeError)
    expect(uuidV7At(lastMillisecond + 1).next).toThrow(RangeError)
  })
})

describe('uuidV7', () => {
  it('has the time of the system', () => {
    const before = Date.now()
    const id = uuidV7()
    const milliseconds = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    expect(milliseconds).toBeGreaterThanOrEqual(before)
    expect(milliseconds).toBeLessThanOrEqual(Date.now() + 1)
  })

  it('is ordered, independently of other generators', () => {
    const other = createUuidV7({ clock: fixedClock(lastMillisecond) })
    const ids = Array.from({ length: 1_000 }, () => [uuidV7(), other()]).map(([id]) => id)
    expect(ids).toStrictEqual([...new Set(ids)].sort())
  })
})

/** Mostly the same or the next millisecond; now and then a leap of up to 9 seconds back, or of a day on. */
function stepped(now: number, latest: number): number {
  const chance = Math.random()
  if (chance < 0.7) return now + Math.floor(Math.random() * 2)
  if (chance < 0.98) return now + Math.floor(Math.random() * 100)
  if (chance < 0.9999) return Math.max(now - Math.floor(Math.random() * 9_000), latest - 10_000)
  return now + 86_400_000
}

function isVariant(code: number): boolean {
  return code === 0x38 || code === 0x39 || code === 0x61 || code === 0x62
}
