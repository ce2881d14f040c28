import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'
import { idText, snapshotOf, snapshotsOf } from './reading-snapshots.ts'

function setUp() {
  const clock = createManualClock()
  const registry = createMeterRegistry({ clock })
  return { clock, registry, timer: registry.timer('work', { kind: 'x' }) }
}

it('records count, total, maximum and mean, in seconds', () => {
  const { timer } = setUp()
  for (const seconds of [0.5, 0, 1.5]) timer.record(seconds)
  expect(timer).toMatchObject({ count: 3, total: 2, max: 1.5, mean: 2 / 3 })
})

it('starts with zeros', () => {
  const { registry, timer } = setUp()
  expect(timer).toMatchObject({ count: 0, total: 0, max: 0, mean: 0 })
  expect(snapshotOf(registry, 'timer', 'work')).toMatchObject({ count: 0, total: 0, max: 0, buckets: undefined })
})

it.each([-1, -Number.MIN_VALUE, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'drops %s and counts it as dropped',
  (seconds) => {
    const { registry, timer } = setUp()
    timer.record(1)
    timer.record(seconds)
    timer.record(seconds)
    expect(timer).toMatchObject({ count: 1, total: 1, max: 1 })
    expect(snapshotsOf(registry, 'counter', 'upkeep.meters.dropped').map(idText)).toEqual([
      'upkeep.meters.dropped{meter=work}',
    ])
    expect(snapshotOf(registry, 'counter', 'upkeep.meters.dropped').value).toBe(2)
  },
)

it.each([['0.5'], ['5'], [5n], [0n], [null], [true], [[5]], [{}]])('drops %o, which is not a number', (seconds) => {
  const { registry, timer } = setUp()
  timer.record(1)
  timer.record(seconds as unknown as number)
  expect(timer).toMatchObject({ count: 1, total: 1, max: 1 })
  expect(snapshotOf(registry, 'counter', 'upkeep.meters.dropped').value).toBe(1)
})

it('drops an infinite value as its first measurement', () => {
  const { timer } = setUp()
  timer.record(Number.POSITIVE_INFINITY)
  expect(timer).toMatchObject({ count: 0, total: 0, max: 0 })
})

describe('sample', () => {
  it('is recorded by the timer that was started', () => {
    const { clock, timer } = setUp()
    const sample = timer.start()
    clock.advance(250)
    expect(sample.stop()).toBe(0.25)
    expect(timer).toMatchObject({ count: 1, total: 0.25 })
  })

  it('is recorded by another timer that is chosen at its end', () => {
    const { clock, registry, timer } = setUp()
    const sample = timer.start()
    const unbound = registry.start()
    clock.advance(2_000)
    const failed = registry.timer('work', { kind: 'x', result: 'failure' })
    expect(sample.stop(failed)).toBe(2)
    expect(unbound.stop(failed)).toBe(2)
    expect(timer.count).toBe(0)
    expect(failed.count).toBe(2)
  })
})

describe('time', () => {
  it('returns the result of the function', () => {
    const { clock, timer } = setUp()
    expect(timer.time(() => clock.advance(100) ?? 'done')).toBe('done')
    expect(timer).toMatchObject({ count: 1, total: 0.1 })
  })

  it.each([
    [new TypeError('x'), 'TypeError'],
    [new (class NotFound extends Error {})('x'), 'NotFound'],
    [Object.assign(new Error('x'), { name: 'AbortError' }), 'AbortError'],
    [new Error('x'), 'Error'],
    [Object.assign(new TypeError('x'), { name: '' }), 'TypeError'],
    [Object.assign(new Error('x'), { name: undefined }), 'Error'],
    [Object.assign(new RangeError('x'), { name: { of: 'x' } }), 'RangeError'],
    [Object.assign(Object.create(Error.prototype), { constructor: undefined }), 'Error'],
    ['a text', 'string'],
    [undefined, 'undefined'],
  ])('throws %s on, and records it under the error %s', (error, name) => {
    const { clock, registry, timer } = setUp()
    const work = () =>
      timer.time(() => {
        clock.advance(300)
        throw error
      })
    expect(catchFrom(work)).toEqual({ error })
    expect(timer.count).toBe(0)
    expect(registry.timer('work', { kind: 'x', error: name })).toMatchObject({ count: 1, total: 0.3 })
  })

  it('throws on an error whose name cannot be read', () => {
    const { registry, timer } = setUp()
    const error = Object.defineProperty(new Error('x'), 'name', {
      get: () => {
        throw new Error('no name')
      },
    })
    const work = () => {
      throw error
    }
    expect(catchFrom(() => timer.time(work))?.error === error).toBe(true)
    expect(registry.timer('work', { kind: 'x', error: 'Error' }).count).toBe(1)
  })

  it('replaces the tag `error` of the timer for errors', () => {
    const { registry } = setUp()
    const timer = registry.timer('calls', { error: 'none' })
    timer.time(() => 1)
    catchFrom(() => timer.time(() => JSON.parse('{')))
    expect(snapshotsOf(registry, 'timer', 'calls').map((snapshot) => [idText(snapshot), snapshot.count])).toEqual([
      ['calls{error=none}', 1],
      ['calls{error=SyntaxError}', 1],
    ])
  })

  it('records errors with the same buckets and description', () => {
    const { registry } = setUp()
    const timer = registry.timer('calls', {}, { slo: [1, 2], description: 'Calls' })
    catchFrom(() => timer.time(() => JSON.parse('{')))
    const [success, failure] = snapshotsOf(registry, 'timer', 'calls')
    expect(failure?.buckets?.bounds).toBe(success?.buckets?.bounds)
    expect(failure?.id.description).toBe('Calls')
  })

  it('lasts until a promise settles', async () => {
    const { clock, timer } = setUp()
    const gate = defer()
    const result = timer.time(() => gate.promise)
    clock.advance(400)
    expect(timer.count).toBe(0)
    gate.resolve('done')
    expect(await result).toBe('done')
    expect(timer).toMatchObject({ count: 1, total: 0.4 })
  })

  it('records a rejection under its error, once, and rejects with it', async () => {
    const { registry, timer } = setUp()
    const error = new RangeError('x')
    await expect(timer.time(async () => Promise.reject(error))).rejects.toBe(error)
    expect(timer.count).toBe(0)
    expect(registry.timer('work', { kind: 'x', error: 'RangeError' }).count).toBe(1)
  })

  it('records a thenable whose `then` throws', () => {
    const { registry, timer } = setUp()
    const error = new TypeError('x')
    const work = () => ({
      // biome-ignore lint/suspicious/noThenProperty: what this is about.
      then: () => {
        throw error
      },
    })
    expect(catchFrom(() => timer.time(work))).toEqual({ error })
    expect(registry.timer('work', { kind: 'x', error: 'TypeError' }).count).toBe(1)
    const running = registry.longTaskTimer('running')
    expect(catchFrom(() => running.time(work))).toEqual({ error })
    expect(running.activeTasks).toBe(0)
  })

  it('lasts until a generator ends, and passes values in and out', () => {
    const { clock, timer } = setUp()
    const generator = timer.time(function* (): Generator<number, string, string> {
      const first = yield 1
      const second = yield 2
      return first + second
    })
    expect(generator.next()).toEqual({ done: false, value: 1 })
    clock.advance(500)
    expect(generator.next('a')).toEqual({ done: false, value: 2 })
    expect(timer.count).toBe(0)
    expect(generator.next('b')).toEqual({ done: true, value: 'ab' })
    expect(timer).toMatchObject({ count: 1, total: 0.5 })
  })

  it('records a generator that is left early, and one that fails under its error', () => {
    const { registry, timer } = setUp()
    const numbers = function* () {
      yield 1
      yield 2
    }
    for (const number of timer.time(numbers)) if (number === 1) break
    expect(timer.count).toBe(1)
    const failing = timer.time(numbers)
    failing.next()
    expect(() => failing.throw(new URIError('x'))).toThrow(URIError)
    expect(registry.timer('work', { kind: 'x', error: 'URIError' }).count).toBe(1)
  })

  it('lasts until an asynchronous generator ends', async () => {
    const { clock, timer } = setUp()
    const seen: number[] = []
    for await (const number of timer.time(async function* () {
      yield 1
      clock.advance(700)
      yield 2
    })) {
      seen.push(number)
    }
    expect(seen).toEqual([1, 2])
    expect(timer).toMatchObject({ count: 1, total: 0.7 })
  })

  it('does not treat an array or a map as a generator', () => {
    const { timer } = setUp()
    const list = [1, 2]
    const map = new Map([[1, 2]])
    expect(timer.time(() => list)).toBe(list)
    expect(timer.time(() => map)).toBe(map)
    expect(timer.count).toBe(2)
  })
})

it('has a description and the unit seconds', () => {
  const registry = createMeterRegistry()
  const { id } = registry.timer('work', {}, { description: 'Work' })
  expect(id).toMatchObject({ description: 'Work', baseUnit: 'seconds' })
})

function catchFrom(work: () => unknown): { error: unknown } | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return { error }
  }
}

function defer(): { promise: Promise<string>; resolve: (value: string) => void } {
  let resolve: (value: string) => void = () => {}
  const promise = new Promise<string>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
