import type { MeterFilter } from 'upkeep'
import type { MeterDiagnostic } from 'upkeep/metrics'
import {
  accept,
  commonTags,
  createMeterRegistry,
  deny,
  denyUnless,
  histogram,
  ignoreTags,
  maximumAllowableTags,
  renameMeter,
  renameTag,
  replaceTagValues,
} from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { idText, snapshotOf } from './reading-snapshots.ts'

function registryWith(...filters: MeterFilter[]) {
  return createMeterRegistry({ filters, diagnose: () => {} })
}

function idsAfter(filters: MeterFilter[], use: (registry: ReturnType<typeof registryWith>) => void): string[] {
  const registry = registryWith(...filters)
  use(registry)
  return [...registry.snapshot()].map(idText)
}

describe('commonTags', () => {
  it('are added to every meter, whose own tags take precedence', () => {
    const ids = idsAfter([commonTags({ app: 'orders', zone: 1 })], (registry) => {
      registry.counter('a')
      registry.timer('b', { zone: 'own' })
      registry.counters('c', ['x']).with('y')
      registry.gauge('d', () => 1)
    })
    expect(ids).toEqual([
      'a{app=orders,zone=1}',
      'b{app=orders,zone=own}',
      'c{app=orders,x=y,zone=1}',
      'd{app=orders,zone=1}',
    ])
  })

  it('do not change how a meter is found', () => {
    const registry = registryWith(commonTags({ app: 'orders' }))
    const family = registry.counters('c', ['x', 'y'])
    for (let round = 0; round < 3; round++) {
      expect(registry.counter('c', { x: 1, y: 'b' })).toBe(family.with('1', 'b'))
      expect(registry.counter('c', { y: 'b', x: '1', app: 'orders' })).toBe(family.with(1, 'b'))
    }
    expect(registry.counter('c', { x: 1, y: 'b', app: 'else' })).not.toBe(family.with(1, 'b'))
  })
})

it('renameMeter renames the meter with exactly this name', () => {
  const ids = idsAfter([renameMeter('jobs', 'tasks')], (registry) => {
    registry.counter('jobs', { kind: 'a' })
    registry.counter('jobs.failed')
  })
  expect(ids).toEqual(['jobs.failed{}', 'tasks{kind=a}'])
})

describe('renameTag', () => {
  it('renames the tag only in meters whose name starts with the selection', () => {
    const ids = idsAfter([renameTag('http', 'uri', 'path')], (registry) => {
      registry.counter('http.requests', { uri: '/', method: 'GET' })
      registry.counter('jobs', { uri: '/' })
    })
    expect(ids).toEqual(['http.requests{method=GET,path=/}', 'jobs{uri=/}'])
  })

  it('does not affect a lookup by the new key of another meter', () => {
    const registry = registryWith(renameTag('', 'a', 'b'), renameTag('', 'c', 'a'))
    registry.counter('x', { a: 1 }).increment(10)
    registry.counter('x', { c: 1 }).increment(200)
    for (let round = 0; round < 2; round++) {
      expect(registry.counter('x', { a: 1 }).value).toBe(10)
      expect(registry.counter('x', { c: 1 }).value).toBe(200)
      expect(registry.counter('x', { b: 1 }).value).toBe(10)
    }
    expect([...registry.snapshot()].map(idText)).toEqual(['x{b=1}', 'x{a=1}'])
  })
})

it('ignoreTags merges meters that differ only in an ignored tag', () => {
  const registry = registryWith(ignoreTags('user', 'session'))
  for (let user = 0; user < 10_000; user++)
    registry.counter('logins', { user, session: user * 2, result: 'ok' }).increment()
  expect([...registry.snapshot()].map(idText)).toEqual(['logins{result=ok}'])
  expect(snapshotOf(registry, 'counter', 'logins').value).toBe(10_000)
})

it('replaceTagValues replaces the values of a tag, except for some', () => {
  const ids = idsAfter([replaceTagValues('status', (status) => `${status[0]}xx`, '404')], (registry) => {
    for (const status of [200, 204, 404, 500]) registry.counter('answers', { status })
  })
  expect(ids).toEqual(['answers{status=2xx}', 'answers{status=404}', 'answers{status=5xx}'])
})

describe('the result of a custom filter', () => {
  const mapTo = (changed: object) => createMeterRegistry({ filters: [{ map: (meter) => ({ ...meter, ...changed }) }] })

  it('may have numbers and booleans as tags, in any order, and the last of two with one key', () => {
    const tags = [
      { key: 'b', value: 5 },
      { key: 'a', value: true },
      { key: 'b', value: 6 },
    ]
    const registry = mapTo({ tags })
    registry.counter('orders').increment()
    expect([...registry.snapshot()].map(idText)).toEqual(['orders{a=true,b=6}'])
  })

  it.each([
    [{ name: undefined }, 'meter name: expected a non-empty string'],
    [{ name: '' }, 'meter name: expected a non-empty string'],
    [{ description: 5 }, "meter 'orders': description: expected a string"],
    [{ tags: undefined }, 'tags: expected an array of { key, value }, received undefined'],
    [{ tags: { region: 'us' } }, 'tags: expected an array of { key, value }, received an object'],
    [{ tags: [null] }, 'tags: expected an array of { key, value }, received null in it'],
    [{ tags: [{ key: 'region', value: undefined }] }, 'tags: "region": expected a string, a number or a boolean'],
  ])('is reported and ignored if it is %j, which could not be scraped', (changed, message) => {
    const diagnose = vi.fn<(diagnostic: MeterDiagnostic) => void>()
    const registry = createMeterRegistry({
      filters: [{ map: (meter) => ({ ...meter, ...(changed as object) }) }],
      diagnose,
    })
    registry.counter('orders', { region: 'eu' })
    registry.counter('orders', { region: 'us' })
    expect([...registry.snapshot()].map(idText)).toEqual(['orders{region=eu}', 'orders{region=us}'])
    expect(diagnose.mock.calls).toEqual([
      [
        {
          kind: 'filter-failed',
          meter: 'orders',
          message: expect.stringContaining(message),
          error: expect.any(TypeError),
        },
      ],
    ])
  })
})

describe.each([undefined, null])('a filter that returns %s', (nothing) => {
  it.each(['map', 'accept', 'configure'] as const)('from %s has no effect, which is no mistake', (name) => {
    const diagnose = vi.fn()
    const registry = createMeterRegistry({ filters: [{ [name]: vi.fn().mockReturnValue(nothing) }], diagnose })
    registry.timer('work', { kind: 'x' }, { slo: [1] })
    expect([...registry.snapshot()].map(idText)).toEqual(['work{kind=x}'])
    expect(snapshotOf(registry, 'timer', 'work').buckets?.bounds).toEqual([1])
    expect(diagnose).not.toHaveBeenCalled()
  })
})

it('a filter without functions is refused', () => {
  expect(() => registryWith({})).toThrow(
    new TypeError('metrics.filters: expected an object with map, accept or configure, received an object'),
  )
})

it('a filter whose map fails is reported once, also for a meter that exists as another kind', () => {
  const diagnose = vi.fn<(diagnostic: MeterDiagnostic) => void>()
  const error = new Error('x')
  const map = () => {
    throw error
  }
  const registry = createMeterRegistry({ filters: [{ map }], diagnose })
  registry.counter('a')
  expect(() => registry.timer('a')).toThrow(TypeError)
  expect(diagnose.mock.calls).toMatchObject([[{ kind: 'filter-failed', meter: 'a', error }]])
})

it('a filter that maps a meter onto one of another kind is reported and ignored', () => {
  const diagnose = vi.fn<(diagnostic: MeterDiagnostic) => void>()
  const registry = createMeterRegistry({ filters: [renameMeter('b', 'a')], diagnose })
  registry.counter('a')
  registry.timer('b')
  expect(registry.names()).toEqual(['a', 'b'])
  expect(diagnose.mock.calls).toMatchObject([
    [{ kind: 'filter-failed', meter: 'b', message: expect.stringContaining("There is already a counter 'a'") }],
  ])
})

it('a filter receives the tags sorted by key', () => {
  const seen: string[] = []
  const spy: MeterFilter = {
    accept({ tags }) {
      seen.push(tags.map(({ key }) => key).join())
      return 'neutral'
    },
  }
  const registry = registryWith(spy)
  registry.counter('c', { b: 1, a: 2 })
  registry.counter('c', { b: 1, c: 2, a: 3 })
  expect(seen).toEqual(['a,b', 'a,b,c'])
})

describe('accept', () => {
  const use = (registry: ReturnType<typeof registryWith>) => {
    registry.counter('a.x').increment()
    registry.counter('a.y').increment()
    registry.timer('b').record(1)
  }

  it.each([
    ['everything without filters', [], ['a.x{}', 'a.y{}', 'b{}']],
    ['no denied meter', [deny('a.')], ['b{}']],
    ['no meter if all are denied', [deny()], []],
    ['meters that an earlier filter accepts', [accept('a.x'), deny('a.')], ['a.x{}', 'b{}']],
    ['no meter that an earlier filter denies', [deny('a.'), accept('a.x')], ['b{}']],
    ['only the selected meters', [denyUnless('b')], ['b{}']],
    ['meters selected by a function', [deny(({ kind }) => kind === 'counter')], ['b{}']],
  ])('applies to %s', (_, filters, expected) => {
    expect(idsAfter(filters, use)).toEqual(expected)
  })

  it('is called after all mapping', () => {
    const seen: string[] = []
    const spy: MeterFilter = {
      accept({ name, tags }) {
        seen.push(`${name} ${tags.map(({ key }) => key).join()}`)
        return 'neutral'
      },
    }
    registryWith(spy, commonTags({ app: 'x' })).counter('c', { zone: 1 })
    expect(seen).toEqual(['c app,zone'])
  })

  it.each([true, false, 'DENY', 1])('is neutral and reported once if the verdict is %j', (verdict) => {
    const diagnose = vi.fn<(diagnostic: MeterDiagnostic) => void>()
    const filters = [{ accept: () => verdict as unknown as 'deny' }, deny('b')]
    const registry = createMeterRegistry({ filters, diagnose })
    registry.counter('a')
    registry.counter('b')
    expect([...registry.snapshot()].map(idText)).toEqual(['a{}'])
    expect(diagnose.mock.calls.map(([{ message }]) => message)).toEqual([
      expect.stringMatching(
        /^metrics\.filters: "accept" failed for the meter 'a' and is ignored: expected 'accept', 'de/,
      ),
    ])
  })

  it('returns the same usable meter for a denied one at every call, without calling filters again', () => {
    let callCount = 0
    const registry = registryWith({
      accept() {
        callCount += 1
        return 'deny'
      },
    })
    const counter = registry.counter('c', { a: 1 })
    counter.increment(3)
    expect(registry.counter('c', { a: 1 }).value).toBe(3)
    expect(registry.counters('c', ['a']).with(1)).toBe(counter)
    expect(callCount).toBe(1)
    expect(registry.names()).toEqual([])
  })

  it('finds 4096 denied meters again, and four more for each that is not denied', () => {
    const registry = registryWith(deny(({ tags }) => tags[0]?.key === 'denied'))
    for (let at = 0; at < 10; at++) registry.counter('c', { at })
    const limit = 4_096 + 4 * 10
    for (let denied = 0; denied < limit; denied++) registry.counter('c', { denied }).increment()
    expect(registry.counter('c', { denied: 0 }).value).toBe(1)
    registry.counter('c', { denied: limit })
    expect(registry.counter('c', { denied: 0 }).value).toBe(0)
  })

  it('caches a limited number of denied meters', () => {
    const registry = registryWith(deny())
    for (let at = 0; at < 20_000; at++) registry.counter('c', { at }).increment()
    expect(registry.names()).toEqual([])
  })
})

it('maximumAllowableTags denies meters with further values of a tag', () => {
  const ids = idsAfter([maximumAllowableTags('http', 'uri', 2)], (registry) => {
    for (const uri of ['/a', '/b', '/c', '/a']) registry.counter('http.requests', { uri }).increment()
    registry.counter('http.requests', { method: 'GET' })
    registry.counter('jobs', { uri: '/z' })
  })
  expect(ids).toEqual(['http.requests{uri=/a}', 'http.requests{uri=/b}', 'http.requests{method=GET}', 'jobs{uri=/z}'])
})

it('maximumAllowableTags applies another filter to meters with further values', () => {
  const ids = idsAfter(
    [
      maximumAllowableTags(
        'http',
        'uri',
        1,
        deny(({ kind }) => kind === 'timer'),
      ),
    ],
    (registry) => {
      for (const uri of ['/a', '/b']) {
        registry.counter('http.calls', { uri })
        registry.timer('http.requests', { uri })
      }
    },
  )
  expect(ids).toEqual(['http.calls{uri=/a}', 'http.calls{uri=/b}', 'http.requests{uri=/a}'])
})

it('maximumAllowableTags configures distributions with further values by another filter', () => {
  const registry = registryWith(maximumAllowableTags('http', 'uri', 1, histogram('http', { slo: [2] })))
  const boundsOf = (name: string, tags: Record<string, string>) => {
    const timer = registry.timer(name, tags, { slo: [1] })
    const snapshot = [...registry.snapshot(name)].find(({ id }) => id === timer.id)
    return snapshot?.kind === 'timer' ? snapshot.buckets?.bounds : undefined
  }
  expect(boundsOf('http.requests', { uri: '/a' })).toEqual([1])
  expect(boundsOf('http.calls', { uri: '/b' })).toEqual([2])
  expect(boundsOf('http.gets', { method: 'GET' })).toEqual([1])
  expect(boundsOf('jobs', { uri: '/c' })).toEqual([1])
})

it('maximumAllowableTags leaves the options of distributions where the other filter has none', () => {
  const registry = registryWith(maximumAllowableTags('http', 'uri', 0, accept()))
  registry.timer('http.requests', { uri: '/a' }, { slo: [1] })
  expect(snapshotOf(registry, 'timer', 'http.requests').buckets?.bounds).toEqual([1])
})

it.each<[string, MeterFilter]>([
  ['maximumAllowableTags without the tag', maximumAllowableTags('', 'uri', 0)],
  ['maximumAllowableTags with a filter that does not configure', maximumAllowableTags('', 'kind', 0, accept())],
  ['denyUnless for a meter that it selects', denyUnless('work')],
])('%s does not fail', (_, filter) => {
  const diagnose = vi.fn()
  createMeterRegistry({ filters: [filter], diagnose }).timer('work', { kind: 'x' })
  expect(diagnose).not.toHaveBeenCalled()
})

describe('configure', () => {
  it('takes precedence over the options of the meter, and the last filter over earlier ones', () => {
    const registry = registryWith(
      histogram('http', { slo: [1] }),
      histogram('http.server', { slo: [2], percentiles: [0.5] }),
    )
    registry.timer('http.server', {}, { slo: [9], exponential: true })
    registry.timer('http.client', {}, { slo: [9] })
    registry.timer('jobs', {}, { slo: [9] })
    const boundsOf = (name: string) => snapshotOf(registry, 'timer', name).buckets?.bounds
    expect(['http.server', 'http.client', 'jobs'].map(boundsOf)).toEqual([[2], [1], [9]])
    expect(snapshotOf(registry, 'timer', 'http.server')).toMatchObject({
      percentiles: [{ quantile: 0.5 }],
      exponential: { zeroCount: 0 },
    })
  })

  it.each([
    [5, 'a number'],
    [[], 'an empty array'],
  ])('has no effect and is reported if it returns %j', (options, received) => {
    const diagnose = vi.fn<(diagnostic: MeterDiagnostic) => void>()
    const registry = createMeterRegistry({ filters: [{ configure: vi.fn().mockReturnValue(options) }], diagnose })
    registry.timer('work', {}, { slo: [1] })
    expect(snapshotOf(registry, 'timer', 'work').buckets?.bounds).toEqual([1])
    expect(diagnose.mock.calls).toMatchObject([
      [{ message: expect.stringMatching(`: expected options of a distribution, received ${received}$`) }],
    ])
  })

  it('receives the meter as mapped', () => {
    const registry = registryWith(
      { map: (meter) => ({ ...meter, name: `app.${meter.name}` }) },
      histogram(({ name, tags }) => name === 'app.work' && tags[0]?.value === 'x', { slo: [1] }),
    )
    registry.timer('work', { kind: 'x' })
    registry.timer('work', { kind: 'y' })
    expect(
      [...registry.snapshot()].map((snapshot) => [idText(snapshot), 'buckets' in snapshot && snapshot.buckets?.bounds]),
    ).toEqual([
      ['app.work{kind=x}', [1]],
      ['app.work{kind=y}', undefined],
    ])
  })
})

it('map changes name, description and unit, in the order of the filters', () => {
  const registry = registryWith(
    { map: (meter) => ({ ...meter, name: `${meter.name}.one`, description: 'one' }) },
    { map: (meter) => ({ ...meter, name: `${meter.name}.two`, baseUnit: meter.description }) },
  )
  registry.counter('c', {}, { description: 'own' })
  expect(snapshotOf(registry, 'counter', 'c.one.two').id).toMatchObject({ description: 'one', baseUnit: 'one' })
})

describe('a filter that is added late', () => {
  it('affects only later meters, and is reported', () => {
    const diagnostics: MeterDiagnostic[] = []
    const registry = createMeterRegistry({ diagnose: (diagnostic) => diagnostics.push(diagnostic) })
    const before = registry.counter('a', { x: 1 })
    const family = registry.counters('a', ['x'])
    expect(family.with(1)).toBe(before)
    registry.filter(commonTags({ app: 'orders' }))
    registry.counter('b')
    family.with(2)
    expect([...registry.snapshot()].map(idText)).toEqual(['a{x=1}', 'a{app=orders,x=2}', 'b{app=orders}'])
    expect(diagnostics).toMatchObject([{ kind: 'late-filter', message: expect.stringContaining("'a'") }])
  })

  it('applies to meters that were found before, by tags and by any number of values', () => {
    const registry = registryWith()
    for (let length = 1; length <= 4; length++) {
      const keys = ['a', 'b', 'c', 'd'].slice(0, length)
      registry.counters(`of.${length}`, keys).with(...keys)
    }
    const find = (length: number) => {
      const keys = ['a', 'b', 'c', 'd'].slice(0, length)
      const tags = Object.fromEntries(keys.map((key) => [key, key]))
      return [registry.counter(`of.${length}`, tags), registry.counters(`of.${length}`, keys).with(...keys)]
    }
    const before = [1, 2, 3, 4].map(find)
    registry.filter(commonTags({ app: 'orders' }))
    const after = [1, 2, 3, 4].map(find)
    for (const [at, [byTags, byValues]] of after.entries()) {
      expect(byTags?.id.tags).toContainEqual({ key: 'app', value: 'orders' })
      expect(byValues).toBe(byTags)
      expect(before[at]).not.toContain(byTags)
    }
  })

  it.each([1, 2, 3, 4])('leaves no removed meter to be found by %i values', (length) => {
    const keys = ['a', 'b', 'c', 'd'].slice(0, length)
    const first = keys.slice(1)
    const registry = registryWith(deny(({ tags }) => tags.some(({ value }) => value === 'denied')))
    const family = registry.counters('c', keys)
    family.with(...first, 'denied')
    registry.filter(commonTags({ app: 'orders' }))
    registry.remove(family.with(...first, 'old'))
    const created = family.with(...first, 'new')
    expect(family.with(...first, 'new')).toBe(created)
    expect(created.id.tags).toContainEqual({ key: keys.at(-1), value: 'new' })
  })

  it('is not reported if there are no meters yet', () => {
    const diagnostics: MeterDiagnostic[] = []
    const registry = createMeterRegistry({ diagnose: (diagnostic) => diagnostics.push(diagnostic) })
    registry.filter(deny())
    expect(diagnostics).toEqual([])
  })

  it('denies later meters, but not existing ones', () => {
    const registry = registryWith()
    const counter = registry.counter('a')
    registry.filter(deny('a'))
    expect(registry.counter('a')).toBe(counter)
    registry.counter('a', { x: 1 })
    expect([...registry.snapshot()].map(idText)).toEqual(['a{}'])
  })
})
