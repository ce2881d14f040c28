import type { MeterDiagnostic, MeterRegistryOptions } from 'upkeep/metrics'
import { commonTags, createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { idText, snapshotOf, snapshotsOf } from './reading-snapshots.ts'

function setUp(options: MeterRegistryOptions = {}) {
  const diagnostics: MeterDiagnostic[] = []
  const registry = createMeterRegistry({
    maximumSeriesPerMeter: 3,
    diagnose: (each) => diagnostics.push(each),
    ...options,
  })
  return { registry, diagnostics }
}

describe('series beyond the maximum', () => {
  it('are recorded into one series, which is read', () => {
    const { registry } = setUp()
    for (const uri of 'abcdef') registry.counter('requests', { uri, method: 'GET' }).increment()
    expect(snapshotsOf(registry, 'counter', 'requests').map((each) => [idText(each), each.value])).toEqual([
      ['requests{method=GET,uri=a}', 1],
      ['requests{method=GET,uri=b}', 1],
      ['requests{method=GET,uri=c}', 1],
      ['requests{method=GET,uri=_overflow}', 3],
    ])
  })

  it('are reported once per meter, with the tag that has the most values and some of them', () => {
    const { registry, diagnostics } = setUp()
    for (let uri = 0; uri < 50; uri++)
      registry.counter('requests', { method: uri % 2 === 0 ? 'GET' : 'PUT', uri }).increment()
    expect(diagnostics).toEqual([
      {
        kind: 'series-limit',
        meter: 'requests',
        maximum: 3,
        tagKey: 'uri',
        sampleValues: ['0', '1', '2'],
        message: expect.stringMatching(/'requests'.* 3 series.*'_overflow'.*'uri'.*"0", "1", "2"/),
      },
    ])
  })

  it('are reported with long values shortened', () => {
    const { registry, diagnostics } = setUp()
    for (const uri of 'abcdef') registry.counter('requests', { uri: uri.repeat(10_000) })
    expect(diagnostics[0]).toMatchObject({ sampleValues: ['a', 'b', 'c'].map((uri) => uri.repeat(10_000)) })
    expect(diagnostics[0]?.message).toMatch(/recently "a{80}…", "b{80}…", "c{80}…"$/)
  })

  it('are reported with values of 80 characters whole', () => {
    const { registry, diagnostics } = setUp()
    for (const uri of 'abcd') registry.counter('requests', { uri: uri.repeat(80) })
    expect(diagnostics[0]?.message).toMatch(/recently "a{80}", "b{80}", "c{80}"$/)
  })

  it('are reported with the latest five values of many', () => {
    const { registry, diagnostics } = setUp({ maximumSeriesPerMeter: 7 })
    for (let uri = 0; uri < 9; uri++) registry.counter('requests', { uri })
    expect(diagnostics).toMatchObject([
      {
        sampleValues: ['2', '3', '4', '5', '6'],
        message: expect.stringContaining('the most values (7), recently "2", "3", "4", "5", "6"'),
      },
    ])
  })

  it('are counted in a meter of the registry, by name', () => {
    const { registry } = setUp()
    for (const uri of 'abcdef') registry.counter('requests', { uri })
    for (const uri of 'abcde') registry.timers('work', ['uri']).with(uri)
    expect(
      snapshotsOf(registry, 'counter', 'upkeep.meters.overflow').map((each) => [idText(each), each.value]),
    ).toEqual([
      ['upkeep.meters.overflow{meter=requests}', 3],
      ['upkeep.meters.overflow{meter=work}', 2],
    ])
  })

  it('do not slow down or hide the existing series', () => {
    const { registry } = setUp()
    const family = registry.counters('requests', ['uri'])
    const kept = [...'abc'].map((uri) => family.with(uri))
    const overflow = family.with('d')
    expect([...'abc'].map((uri) => family.with(uri))).toEqual(kept)
    expect(family.with('e')).toBe(overflow)
    expect(registry.counter('requests', { uri: 'f' })).toBe(overflow)
    expect(registry.counter('requests', { uri: '_overflow' })).toBe(overflow)
  })

  it('are admitted when other series are removed', () => {
    const { registry } = setUp()
    const first = registry.counter('requests', { uri: 'a' })
    for (const uri of 'bcd') registry.counter('requests', { uri })
    registry.remove(first)
    registry.counter('requests', { uri: 'e' }).increment()
    expect(snapshotsOf(registry, 'counter', 'requests').map(idText)).toEqual([
      'requests{uri=b}',
      'requests{uri=c}',
      'requests{uri=_overflow}',
      'requests{uri=e}',
    ])
  })

  it('share one series across different tag keys', () => {
    const { registry } = setUp()
    for (let at = 0; at < 20; at++) registry.counter('requests', { [`key${at}`]: 'x' }).increment()
    expect(snapshotsOf(registry, 'counter', 'requests')).toHaveLength(4)
    expect(snapshotsOf(registry, 'counter', 'requests').at(-1)?.value).toBe(17)
  })

  it('keep the tags that all series share', () => {
    const { registry } = setUp({ filters: [commonTags({ app: 'orders' })] })
    for (const uri of 'abcde') registry.counter('requests', { uri }).increment()
    expect(snapshotsOf(registry, 'counter', 'requests').map(idText).at(-1)).toBe('requests{app=orders,uri=_overflow}')
  })

  it('are not recorded into the series without tags', () => {
    const { registry } = setUp()
    for (const uri of 'abcd') registry.counter('requests', { uri })
    registry.counter('requests').increment()
    expect(snapshotsOf(registry, 'counter', 'requests').map(idText)).toContain('requests{}')
  })

  it.each(['timers', 'summaries'] as const)('of %s are recorded together', (kind) => {
    const { registry } = setUp()
    const family = registry[kind]('work', ['uri'])
    for (const uri of 'abcdef') family.with(uri).record(2)
    expect([...registry.snapshot('work')].at(-1)).toMatchObject({ count: 3, total: 6 })
  })

  it('of function meters are not read, since values cannot be combined', () => {
    const { registry, diagnostics } = setUp()
    for (const uri of 'abcdef') registry.gauge('queue', { uri }, () => 1)
    for (const uri of 'abcdef') registry.functionCounter('done', { uri }, () => 1)
    expect([...registry.snapshot('queue'), ...registry.snapshot('done')]).toHaveLength(6)
    expect(diagnostics.map((each) => 'meter' in each && each.meter)).toEqual(['queue', 'done'])
    for (const { message } of diagnostics)
      expect(message).toMatch(/3 series; further ones are not read\. The tag 'uri'/)
  })
})

it('the default maximum is 1000 series', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const registry = createMeterRegistry()
  for (let at = 0; at < 1_500; at++) registry.counter('requests', { at }).increment()
  expect(snapshotsOf(registry, 'counter', 'requests')).toHaveLength(1_001)
  expect(snapshotsOf(registry, 'counter', 'requests').at(-1)?.value).toBe(500)
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("'requests'"))
  warn.mockRestore()
})

it('the maximum can be infinite', () => {
  const { registry, diagnostics } = setUp({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
  for (let at = 0; at < 5_000; at++) registry.counter('requests', { at })
  expect(snapshotsOf(registry, 'counter', 'requests')).toHaveLength(5_000)
  expect(diagnostics).toEqual([])
})

it.each([0, -1, Number.NaN])('the maximum cannot be %s', (maximumSeriesPerMeter) => {
  expect(() => createMeterRegistry({ maximumSeriesPerMeter })).toThrow(RangeError)
})

it('a failing listener does not fail the code that records', () => {
  const { registry } = setUp({
    diagnose() {
      throw new Error('x')
    },
  })
  for (const uri of 'abcdef') registry.counter('requests', { uri }).increment()
  expect(snapshotOf(registry, 'counter', 'upkeep.meters.overflow').value).toBe(3)
})
