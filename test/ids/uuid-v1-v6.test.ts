import fc from 'fast-check'
import { createUuidV1, createUuidV6, parseUuid, uuidV1, uuidV1FromV6, uuidV6, uuidV6FromV1 } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../support/fixed-clock.ts'
import { fixedRandom } from '../support/fixed-random.ts'

const lastMillisecond = 103_072_857_660_683

/** A source for this clock sequence and this node. */
function identity(clockSequence: number, node: string) {
  const high = Number.parseInt(node.slice(0, 4), 16)
  return fixedRandom([(clockSequence << 16) | high, Number.parseInt(node.slice(4), 16)])
}

function gregorian(id: string) {
  const uuid = parseUuid(id)
  return uuid?.kind === 'gregorian' ? uuid : expect.fail(`${id} has no Gregorian time`)
}

describe('the examples of RFC 9562 A.1 and A.5', () => {
  const options = () => ({ clock: fixedClock(1_645_557_742_000), random: identity(0x33c8, '9f6bdeced846') })

  it('consist of their time, clock sequence and node', () => {
    expect(createUuidV1(options())()).toBe('c232ab00-9414-11ec-b3c8-9f6bdeced846')
    expect(createUuidV6(options())()).toBe('1ec9414c-232a-6b00-b3c8-9f6bdeced846')
  })

  it('are converted to each other', () => {
    expect(uuidV6FromV1('c232ab00-9414-11ec-b3c8-9f6bdeced846')).toBe('1ec9414c-232a-6b00-b3c8-9f6bdeced846')
    expect(uuidV1FromV6('1ec9414c-232a-6b00-b3c8-9f6bdeced846')).toBe('c232ab00-9414-11ec-b3c8-9f6bdeced846')
  })
})

it('counts steps of 100 nanoseconds within a millisecond, up to the time of another library', () => {
  const options = () => ({ clock: fixedClock(1_496_854_535_812), random: identity(0, '010203040506') })
  const [v1, v6] = [createUuidV1(options()), createUuidV6(options())]
  for (let count = 0; count < 9_460; count += 1) {
    v1()
    v6()
  }
  expect(v1()).toBe('20616934-4ba2-11e7-8000-010203040506')
  expect(v6()).toBe('1e74ba22-0616-6934-8000-010203040506')
})

describe.each([
  ['1', createUuidV1],
  ['6', createUuidV6],
] as const)('version %s', (version, create) => {
  it('represents any time exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastMillisecond }), fc.integer(), fc.integer(), (time, high, low) => {
        const id = gregorian(create({ clock: fixedClock(time), random: fixedRandom([high, low]) })())
        expect(id).toMatchObject({
          version: Number(version),
          timestamp: time,
          ticks: (BigInt(time) + 12_219_292_800_000n) * 10_000n,
          clockSequence: (high >>> 16) & 0x3fff,
          node: (((high & 0xffff) | 0x100) * 2 ** 32 + (low >>> 0)).toString(16).padStart(12, '0'),
        })
      }),
    )
  })

  it('sets the multicast bit of its random node', () => {
    const id = gregorian(create({ random: identity(0, '000000000000') })())
    expect(id.node).toBe('010000000000')
  })

  it('moves on to the next millisecond after 10,000 ids', () => {
    const next = create({ clock: fixedClock(1_000) })
    const ids = Array.from({ length: 10_001 }, () => gregorian(next()))
    expect(ids.map(({ ticks }) => ticks)).toStrictEqual(ids.map((_, at) => (ids[0]?.ticks ?? 0n) + BigInt(at)))
    expect(new Set(ids.map(({ clockSequence, node }) => clockSequence + node)).size).toBe(1)
  })

  it('stays in time when the clock steps back, and keeps its clock sequence', () => {
    const clock = fixedClock(20_000)
    const next = create({ clock })
    const before = gregorian(next())
    clock.set(10_000)
    expect(gregorian(next())).toMatchObject({ ticks: before.ticks + 1n, clockSequence: before.clockSequence })
  })

  it('changes the clock sequence beyond the tolerated step, so that no UUID is repeated', () => {
    const clock = fixedClock(20_000)
    const next = create({ clock, random: identity(0x3fff, '010203040506') })
    const ids = [next()]
    clock.set(0)
    ids.push(next())
    clock.set(20_000)
    ids.push(next())
    clock.set(0)
    ids.push(next())
    const read = ids.map((id) => [gregorian(id).timestamp, gregorian(id).clockSequence].join('/'))
    expect(read).toStrictEqual(['20000/16383', '0/0', '20000/0', '0/1'])
  })

  it('throws beyond the tolerated step on request', () => {
    const clock = fixedClock(20_000)
    const next = create({ clock, beyondStepBack: 'throw' })
    next()
    clock.set(0)
    expect(next).toThrow(RangeError)
  })

  it('ends with the 60 bits of its time', () => {
    const next = create({ clock: fixedClock(lastMillisecond) })
    const ids = Array.from({ length: 10_000 }, next)
    const last = gregorian(ids.at(-1) ?? '')
    expect(last.ticks).toBe((BigInt(lastMillisecond) + 12_219_292_800_001n) * 10_000n - 1n)
    expect(2n ** 60n - last.ticks).toBeLessThan(10_000n)
    expect(next).toThrow(RangeError)
    expect(create({ clock: fixedClock(lastMillisecond + 1) })).toThrow(RangeError)
  })
})

it('sorts by time in version 6', () => {
  const clock = fixedClock(0)
  const next = createUuidV6({ clock })
  const ids = [0, 1, 0xffff, 2 ** 32, 2 ** 32 + 1, 2 ** 40, lastMillisecond].map((time) => {
    clock.set(time)
    return next()
  })
  expect(ids).toStrictEqual(ids.toSorted())
})

it('creates no UUID of the system time twice', () => {
  for (const make of [uuidV1, uuidV6]) {
    expect(new Set(Array.from({ length: 100_000 }, make)).size).toBe(100_000)
  }
})

describe('conversion', () => {
  it('is reversible, and preserves time, clock sequence and node', () => {
    const digits = fc.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    fc.assert(
      fc.property(digits, (v1) => {
        const v6 = uuidV6FromV1(v1)
        expect(uuidV1FromV6(v6)).toBe(v1)
        const { ticks, timestamp, clockSequence, node } = gregorian(v1)
        expect(gregorian(v6)).toMatchObject({ version: 6, ticks, timestamp, clockSequence, node })
      }),
    )
  })

  it('rejects other versions', () => {
    const v1 = 'c232ab00-9414-11ec-b3c8-9f6bdeced846'
    expect(() => uuidV1FromV6(v1)).toThrow(new TypeError(`expected a UUID of version 6, received "${v1}"`))
    expect(() => uuidV6FromV1(uuidV6FromV1(v1))).toThrow(TypeError)
    expect(() => uuidV6FromV1(v1.toUpperCase())).toThrow(TypeError)
  })
})
