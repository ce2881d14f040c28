import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { MeterDiagnostic } from 'upkeep/metrics'
import { createMeterRegistry, ignoreTags } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { cellsOf } from './cells-of-meters.ts'
import { idText, snapshotOf } from './reading-snapshots.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Lets what nothing holds any more be collected: a weak reference lives at least to the end of its turn. */
async function forget(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
}

function setUp() {
  const diagnostics: MeterDiagnostic[] = []
  return { diagnostics, registry: createMeterRegistry({ diagnose: (each) => diagnostics.push(each) }) }
}

describe('gauge', () => {
  it('is read on access, in each of its three forms', () => {
    const { registry } = setUp()
    const queue = [1, 2]
    registry.gauge('a', () => queue.length)
    registry.gauge('b', { name: 'mail' }, () => queue.length, { description: 'Waiting', baseUnit: 'mails' })
    registry.gauge('c', { name: 'mail' }, queue, (list) => list.length)
    queue.push(3)
    expect([...registry.snapshot()].map((each) => [idText(each), each])).toMatchObject([
      ['a{}', { kind: 'gauge', value: 3 }],
      ['b{name=mail}', { value: 3, id: { description: 'Waiting', baseUnit: 'mails' } }],
      ['c{name=mail}', { value: 3 }],
    ])
  })

  it('can be read from an object that is itself a function', () => {
    const { registry } = setUp()
    const callable = Object.assign(() => 99, { size: 4 })
    expect(registry.gauge('a', {}, callable, ({ size }) => size).value).toBe(4)
  })

  it('is NaN and reported once when reading fails', () => {
    const { registry, diagnostics } = setUp()
    const error = new Error('no connection')
    const gauge = registry.gauge('pool', () => {
      throw error
    })
    expect([gauge.value, gauge.value, snapshotOf(registry, 'gauge', 'pool').value]).toEqual([NaN, NaN, NaN])
    expect(diagnostics).toEqual([
      { kind: 'reading-failed', meter: 'pool', error, message: "The meter 'pool' could not be read: no connection" },
    ])
  })

  it.each([undefined, null, '5', {}, true])('is NaN when its function returns %s', (value) => {
    const { registry } = setUp()
    expect(registry.gauge('a', () => value as unknown as number).value).toBeNaN()
  })

  it.each([
    ['5', 'a string'],
    [5n, 'a bigint'],
    [{}, 'an object'],
    [Promise.resolve(5), 'a promise'],
  ])('reports %o, which is not a number, once', (value, described) => {
    const { registry, diagnostics } = setUp()
    const gauge = registry.gauge('pool', () => value as unknown as number)
    expect([gauge.value, gauge.value]).toEqual([NaN, NaN])
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `The meter 'pool' could not be read: expected a number, received ${described}`,
    ])
  })

  it('does not report a value that is not available yet', () => {
    const { registry, diagnostics } = setUp()
    for (const nothing of [undefined, null, Number.NaN]) registry.gauge(`pool.${nothing}`, () => nothing as number)
    expect([...registry.snapshot()].map((each) => each.kind === 'gauge' && each.value)).toEqual([NaN, NaN, NaN])
    expect(diagnostics).toEqual([])
  })

  it('does not end the process when its function is asynchronous and rejects', async () => {
    const { registry, diagnostics } = setUp()
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const read = async () => Promise.reject(new Error('no connection'))
    const gauge = registry.gauge('pool', read as unknown as () => number)
    expect([gauge.value, gauge.value]).toEqual([NaN, NaN])
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    expect(diagnostics).toHaveLength(1)
  })

  it('requires a function', () => {
    const { registry } = setUp()
    expect(() => registry.gauge('a', {}, undefined as unknown as () => number)).toThrow(TypeError)
  })

  it('keeps its function when it is registered again, which is reported once per name', () => {
    const { registry, diagnostics } = setUp()
    const first = registry.gauge('a', { x: 1 }, () => 1)
    expect(registry.gauge('a', { x: 1 }, () => 2)).toBe(first)
    registry.gauge('a', { x: 1 }, () => 3)
    expect(first.value).toBe(1)
    expect(diagnostics).toMatchObject([{ kind: 'registered-before', meter: 'a' }])
  })

  it('holds its object by default', async () => {
    const { registry } = setUp()
    registry.gauge('a', {}, { size: 5 }, ({ size }) => size)
    await forget()
    expect(snapshotOf(registry, 'gauge', 'a').value).toBe(5)
  })

  it('is removed with an object that it holds weakly, and can be registered again', async () => {
    const { registry, diagnostics } = setUp()
    registry.gauge('a', {}, { size: 5 }, ({ size }) => size, { weak: true })
    expect(snapshotOf(registry, 'gauge', 'a').value).toBe(5)
    await forget()
    expect([...registry.snapshot()]).toEqual([])
    expect(registry.names()).toEqual([])
    expect(registry.gauge('a', {}, { size: 6 }, ({ size }) => size).value).toBe(6)
    expect(diagnostics).toEqual([])
  })

  it('reads from a new object when it is registered after the previous one is gone', async () => {
    const { registry, diagnostics } = setUp()
    const gauge = registry.gauge('a', {}, { size: 5 }, ({ size }) => size, { weak: true })
    await forget()
    expect(gauge.value).toBeNaN()
    expect(registry.gauge('a', () => 7)).toBe(gauge)
    expect(gauge.value).toBe(7)
    expect(diagnostics).toEqual([])
  })

  it('keeps its function while an object that it holds weakly exists', () => {
    const { registry, diagnostics } = setUp()
    const queue = { size: Number.NaN }
    const gauge = registry.gauge('a', {}, queue, ({ size }) => size, { weak: true })
    expect(snapshotOf(registry, 'gauge', 'a').value).toBeNaN()
    registry.gauge('a', () => 7)
    queue.size = 5
    expect(gauge.value).toBe(5)
    expect(diagnostics).toMatchObject([{ kind: 'registered-before' }])
  })

  it('of an object has a description and a unit', () => {
    const { registry } = setUp()
    registry.gauge('a', {}, { size: 5 }, ({ size }) => size, { description: 'Waiting', baseUnit: 'mails' })
    expect(snapshotOf(registry, 'gauge', 'a').id).toMatchObject({ description: 'Waiting', baseUnit: 'mails' })
  })

  it('of an object refuses an unknown option, and says what it is called', () => {
    const { registry } = setUp()
    const options = { baseUnit: 'mails', help: 'Waiting' }
    expect(() => registry.gauge('a', {}, { size: 5 }, ({ size }) => size, options)).toThrow(
      new TypeError('meter \'a\': unknown option "help"; did you mean "description"?'),
    )
  })
})

describe('function counter', () => {
  it('is a counter in a snapshot', () => {
    const { registry } = setUp()
    let done = 4
    const counter = registry.functionCounter('tasks.done', { pool: 'a' }, () => done, { baseUnit: 'tasks' })
    done = 6
    expect(counter.value).toBe(6)
    expect(snapshotOf(registry, 'counter', 'tasks.done')).toMatchObject({ value: 6, id: { baseUnit: 'tasks' } })
  })

  it('keeps its last value when reading fails or returns an invalid value', () => {
    const { registry } = setUp()
    const values = [3, Number.NaN, -1, undefined]
    const counter = registry.functionCounter('a', () => {
      if (values.length === 0) throw new Error('x')
      return values.shift() as number
    })
    expect([counter.value, counter.value, counter.value, counter.value, counter.value]).toEqual([3, 3, 3, 3, 3])
  })

  it('keeps its last value when its object is gone', async () => {
    const { registry } = setUp()
    registry.functionCounter('a', {}, { hits: 5 }, ({ hits }) => hits, { weak: true })
    expect(snapshotOf(registry, 'counter', 'a').value).toBe(5)
    await forget()
    expect(snapshotOf(registry, 'counter', 'a').value).toBe(5)
  })
})

it('a function timer reads count and total together', () => {
  const { registry } = setUp()
  const statistics = { count: 2, total: 0.5 }
  const timer = registry.functionTimer('cache.loads', { cache: 'a' }, () => statistics)
  expect(timer).toMatchObject({ count: 2, total: 0.5 })
  expect(snapshotOf(registry, 'functionTimer', 'cache.loads')).toMatchObject({
    count: 2,
    total: 0.5,
    id: { baseUnit: 'seconds' },
  })
  statistics.total = Number.NaN
  statistics.count = 3
  expect(timer).toMatchObject({ count: 2, total: 0.5 })
})

it.each([
  [
    { count: 3, total: 0 },
    { count: 3, total: 0 },
  ],
  [
    { count: 0, total: 3 },
    { count: 0, total: 3 },
  ],
  [
    { count: -1, total: 3 },
    { count: 2, total: 0.5 },
  ],
  [
    { count: Number.NaN, total: 3 },
    { count: 2, total: 0.5 },
  ],
  [
    { count: 3, total: -1 },
    { count: 2, total: 0.5 },
  ],
])('a function timer that reads %j after 2 and 0.5 has %j', (next, expected) => {
  const { registry } = setUp()
  let read = { count: 2, total: 0.5 }
  const timer = registry.functionTimer('cache.loads', () => read)
  expect(timer.count).toBe(2)
  read = next
  expect(timer).toMatchObject(expected)
})

it('a function timer is copied to cells, of which any may have changed', () => {
  const { registry } = setUp()
  const statistics = { count: 2, total: 0.5 }
  registry.functionTimer('cache.loads', () => statistics)
  const { copy } = cellsOf(registry, 'cache.loads', 2)
  expect([copy(), copy()]).toEqual([
    [true, [-1, 2, 0.5, -1]],
    [false, [-1, 2, 0.5, -1]],
  ])
  statistics.count = 3
  expect(copy()).toEqual([true, [-1, 3, 0.5, -1]])
  statistics.total = 0.75
  expect(copy()).toEqual([true, [-1, 3, 0.75, -1]])
})

it.each([
  [null, undefined],
  [undefined, undefined],
  [5, 'expected { count, total }, received a number'],
  [{ count: 5 }, 'expected { count, total }, received an object'],
  [{ count: '5', total: 6 }, 'expected { count, total } with a number as count, received a string'],
  [{ count: 5n, total: 6 }, 'expected { count, total } with a number as count, received a bigint'],
  [{ count: 0, total: null }, 'expected { count, total } with a number as total, received null'],
  [Promise.resolve({ count: 5, total: 6 }), 'expected { count, total }, received a promise'],
])('a function timer that reads %o keeps its previous values and does not break the page', (value, fault) => {
  const { registry, diagnostics } = setUp()
  let read: unknown = { count: 2, total: 0.5 }
  const timer = registry.functionTimer('db', () => read as { count: number; total: number })
  expect(timer.count).toBe(2)
  read = value
  expect([timer.count, timer.total]).toEqual([2, 0.5])
  expect(snapshotOf(registry, 'functionTimer', 'db')).toMatchObject({ count: 2, total: 0.5 })
  expect(diagnostics.map(({ message }) => message)).toEqual(fault ? [`The meter 'db' could not be read: ${fault}`] : [])
})

describe('multi-gauge', () => {
  it('has the gauges of its current rows', () => {
    const { registry } = setUp()
    const status = registry.multiGauge('orders', { description: 'By status' })
    status.register([
      { tags: { status: 'open' }, value: 3 },
      { tags: { status: 'paid' }, value: () => 4 },
    ])
    const read = () => [...registry.snapshot()].map((each) => [idText(each), each.kind === 'gauge' && each.value])
    expect(read()).toEqual([
      ['orders{status=open}', 3],
      ['orders{status=paid}', 4],
    ])
    status.register([
      { tags: { status: 'paid' }, value: 5 },
      { tags: { status: 'sent' }, value: 1 },
    ])
    expect(read()).toEqual([
      ['orders{status=paid}', 5],
      ['orders{status=sent}', 1],
    ])
    status.register([])
    expect(read()).toEqual([])
  })

  it('gives its description and unit to its gauges', () => {
    const { registry } = setUp()
    const rows = registry.multiGauge('orders', { description: 'By status', baseUnit: 'orders' })
    rows.register([{ tags: { status: 'open' }, value: 3 }], false)
    expect(snapshotOf(registry, 'gauge', 'orders')).toMatchObject({
      value: 3,
      id: { description: 'By status', baseUnit: 'orders' },
    })
  })

  it('keeps existing gauges unchanged if overwrite is false', () => {
    const { registry } = setUp()
    const rows = registry.multiGauge('orders')
    rows.register([{ tags: {}, value: 1 }])
    rows.register([{ tags: {}, value: 2 }], false)
    expect(snapshotOf(registry, 'gauge', 'orders').value).toBe(1)
    rows.register([{ tags: {}, value: 2 }])
    expect(snapshotOf(registry, 'gauge', 'orders').value).toBe(2)
  })

  it('accepts as many new rows as are removed with the same call', () => {
    const diagnostics: MeterDiagnostic[] = []
    const registry = createMeterRegistry({ maximumSeriesPerMeter: 10, diagnose: (each) => diagnostics.push(each) })
    const rows = registry.multiGauge('orders')
    for (const shop of ['a', 'b']) {
      rows.register(Array.from({ length: 8 }, (_, at) => ({ tags: { shop, at }, value: at })))
    }
    expect([...registry.snapshot('orders')].map((each) => each.id.tags[1]?.value)).toEqual(Array(8).fill('b'))
    expect(diagnostics).toEqual([])
  })

  it('keeps a gauge that two rows share until both are removed', () => {
    const registry = createMeterRegistry({ filters: [ignoreTags('at')] })
    const rows = registry.multiGauge('orders')
    rows.register([{ tags: { at: 1 }, value: 1 }])
    rows.register(
      [
        { tags: { at: 1 }, value: 2 },
        { tags: { at: 2 }, value: 3 },
      ],
      false,
    )
    rows.register([{ tags: { at: 2 }, value: 4 }], false)
    expect([...registry.snapshot()].map((each) => [idText(each), each.kind === 'gauge' && each.value])).toEqual([
      ['orders{}', 1],
    ])
  })

  it('distinguishes rows by all tag values, and treats numbers as their strings', () => {
    const { registry } = setUp()
    const rows = registry.multiGauge('orders')
    rows.register([
      { tags: { a: '1", b="2' }, value: 1 },
      { tags: { a: 1, b: 2 }, value: 2 },
      { tags: { b: '2', a: '1' }, value: 3 },
    ])
    expect([...registry.snapshot()].map((each) => each.kind === 'gauge' && each.value)).toEqual([1, 3])
  })

  it('does not grow when rows are added and removed', () => {
    const { registry } = setUp()
    const rows = registry.multiGauge('orders')
    for (let at = 0; at < 5_000; at++) rows.register([{ tags: { at }, value: at }])
    expect([...registry.snapshot()].map(idText)).toEqual(['orders{at=4999}'])
  })
})
