import { type Attributes, type Counter, ValueType } from '@opentelemetry/api'
import type { Collected, Program } from './compared-metrics.ts'

/** A program, and how upkeep's output differs from the SDK's, if it does. */
export interface ComparedProgram {
  readonly program: Program
  /** A row of the table of differences in docs/reference/otlp.md. */
  readonly difference?: string
  /** Returns what upkeep collects, given what the SDK does. */
  readonly upkeep?: (sdk: readonly Collected[]) => readonly Collected[]
}

/** The program's own scope, in front of the name of each metric. */
const scope = 'program@1.2.3'

const each = (sdk: readonly Collected[], change: (one: Collected) => Collected) => sdk.map(change)

/** Removes points, by metric. */
const without =
  (...points: readonly (readonly [metric: string, attributes?: string])[]) =>
  (sdk: readonly Collected[]) =>
    each(sdk, (collected) => {
      const left: Record<string, Record<string, unknown>> = structuredClone(collected)
      for (const [metric, attributes] of points) {
        if (attributes === undefined) delete left[metric]
        else delete left[metric]?.[attributes]
      }
      return left
    })

/** Replaces metrics. */
const replace = (metrics: Collected) => (sdk: readonly Collected[]) =>
  each(sdk, (collected) => ({ ...collected, ...metrics }))

const any = <T>(value: unknown) => value as T

export const metricPrograms: Readonly<Record<string, ComparedProgram>> = {
  'a counter with and without attributes': {
    program({ meter }) {
      const counter = meter.createCounter('orders.placed', { description: 'Orders', unit: '{order}' })
      counter.add(1)
      counter.add(2.5, {})
      counter.add(3, { region: 'eu', kind: 'book' })
      counter.add(4, { kind: 'book', region: 'eu' })
      counter.add(5, { region: 'us' })
      counter.add(0, { region: 'none' })
    },
  },
  'a counter with one attribute object that is changed': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      const attributes: Attributes = { region: 'eu' }
      counter.add(1, attributes)
      attributes['region'] = 'us'
      counter.add(2, attributes)
      attributes['kind'] = 'book'
      counter.add(4, attributes)
      delete attributes['region']
      counter.add(8, attributes)
    },
    difference: 'attributes are read when a value is recorded',
    upkeep: replace({
      [`${scope} orders counter [] ""`]: { 'region=eu': 1, 'region=us': 2, 'kind=book,region=us': 4, 'kind=book': 8 },
    }),
  },
  'attributes that are numbers, booleans and arrays': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      for (let time = 0; time < 3; time++) {
        counter.add(1, { status: 200, cached: true })
        counter.add(1, { status: 404, cached: false })
        counter.add(1, { tags: ['a', 'b'], sizes: [1, 2] })
      }
    },
  },
  'a number and its string as attributes': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      counter.add(1, { status: 200 })
      counter.add(2, { status: '200' })
    },
    difference: 'attribute values are strings',
    upkeep: replace({ [`${scope} orders counter [] ""`]: { 'status=200': 3 } }),
  },
  'attributes without a value': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      counter.add(1, { region: 'eu' })
      counter.add(2, { region: 'eu', kind: undefined })
      counter.add(4, any<Attributes>({ region: 'eu', kind: null }))
    },
    difference: '`undefined` and `null` attributes are omitted',
    upkeep: replace({ [`${scope} orders counter [] ""`]: { 'region=eu': 7 } }),
  },
  'attributes of other types': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      counter.add(1, any<Attributes>({ region: 'eu', at: { nested: 1 } }))
      counter.add(2, any<Attributes>({ region: 'eu', at: () => 1 }))
    },
    difference: 'objects and functions as attributes are omitted',
    upkeep: replace({ [`${scope} orders counter [] ""`]: { 'region=eu': 3 } }),
  },
  'attributes that are not an object': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      counter.add(1, any<Attributes>(7))
      counter.add(2, any<Attributes>(true))
    },
  },
  'attributes with special keys': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      const attributes = Object.assign(Object.create(null), { constructor: 'a', toString: 'b', le: '1' })
      counter.add(1, attributes)
      counter.add(1, { 'a b': '"quoted"', ü: '\n', é: '\u{1F600}' })
    },
  },
  'a counter with values that are not amounts': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      counter.add(1)
      counter.add(-1)
      counter.add(Number.NEGATIVE_INFINITY)
      counter.add(any<number>('5'))
      counter.add(any<number>(undefined))
      counter.add(any<number>(null))
    },
  },
  'a counter that only had values that are not amounts': {
    program({ meter }) {
      meter.createCounter('orders').add(-1, { region: 'eu' })
      meter.createCounter('others')
    },
  },
  'a counter with NaN': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      counter.add(1)
      counter.add(Number.NaN)
    },
    difference: 'NaN and infinity are not recorded',
    upkeep: replace({ [`${scope} orders counter [] ""`]: { '': 1 } }),
  },
  'a counter with infinity': {
    program({ meter }) {
      const counter = meter.createCounter('orders')
      counter.add(1)
      counter.add(Number.POSITIVE_INFINITY)
    },
    difference: 'NaN and infinity are not recorded',
    upkeep: replace({ [`${scope} orders counter [] ""`]: { '': 1 } }),
  },
  'integers with fractions': {
    program({ meter }) {
      const options = { valueType: ValueType.INT }
      meter.createCounter('counter', options).add(2.9)
      meter.createCounter('counter', options).add(Number.NaN)
      meter.createCounter('counter', options).add(Number.POSITIVE_INFINITY)
      meter.createUpDownCounter('up.down', options).add(-2.9)
      meter.createGauge('gauge', options).record(-7.9)
      meter.createHistogram('histogram', options).record(12.9)
    },
  },
  'an up-down counter': {
    program({ meter }) {
      const active = meter.createUpDownCounter('requests.active', { unit: '{request}' })
      active.add(3)
      active.add(-1)
      active.add(-5, { method: 'GET' })
      active.add(0.5, { method: 'GET' })
      active.add(any<number>('7'))
    },
  },
  'an up-down counter with NaN and infinity': {
    program({ meter }) {
      const active = meter.createUpDownCounter('active')
      active.add(1)
      active.add(Number.NaN)
      active.add(Number.POSITIVE_INFINITY)
      active.add(2)
    },
    difference: 'NaN and infinity are not recorded',
    upkeep: replace({ [`${scope} active gauge [] ""`]: { '': 3 } }),
  },
  'a gauge': {
    program({ meter }) {
      const gauge = meter.createGauge('temperature', { unit: 'Cel', description: 'Of the room' })
      gauge.record(20)
      gauge.record(-4.5)
      gauge.record(7, { room: 'a' })
      gauge.record(8, { room: 'b' })
      gauge.record(any<number>({}))
    },
  },
  'a gauge with NaN': {
    program({ meter }) {
      const gauge = meter.createGauge('temperature')
      gauge.record(20)
      gauge.record(Number.NaN)
    },
    difference: 'NaN and infinity are not recorded',
    upkeep: replace({ [`${scope} temperature gauge [] ""`]: { '': 20 } }),
  },
  'a histogram in milliseconds': {
    program({ meter }) {
      const histogram = meter.createHistogram('duration', { unit: 'ms', description: 'How long' })
      for (const value of [0, 0.5, 5, 5.1, 99, 10_000, 10_001, 1e9]) histogram.record(value)
      histogram.record(7, { method: 'GET' })
    },
  },
  'a histogram in bytes, and one without a unit': {
    program({ meter }) {
      meter.createHistogram('size', { unit: 'By' }).record(1_024)
      meter.createHistogram('score').record(3)
    },
  },
  'a histogram in seconds': {
    program({ meter }) {
      meter.createHistogram('duration', { unit: 's' }).record(0.3)
    },
    difference: 'a histogram in `s` has buckets for seconds',
    upkeep: replace({
      [`${scope} duration histogram [s] ""`]: {
        '': {
          count: 1,
          sum: 0.3,
          boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
          counts: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        },
      },
    }),
  },
  'a histogram with advised buckets': {
    program({ meter }) {
      const advised = (name: string, explicitBucketBoundaries: number[], unit = 's') =>
        meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries } })
      for (const value of [0, 0.1, 0.25, 3]) {
        advised('fine', [0.1, 0.2, 0.3]).record(value)
        advised('from.zero', [0, 1, 2], 'ms').record(value)
        advised('negative', [-5, 1, 2], 'ms').record(value)
        advised('none', []).record(value)
        advised('unsorted', [2, 1]).record(value)
      }
    },
  },
  'a histogram with values that are not amounts': {
    program({ meter }) {
      const histogram = meter.createHistogram('size', { unit: 'By' })
      histogram.record(5)
      histogram.record(-1)
      histogram.record(any<number>('5'))
    },
  },
  'a histogram with infinity and NaN': {
    program({ meter }) {
      const histogram = meter.createHistogram('size', { advice: { explicitBucketBoundaries: [1] } })
      histogram.record(5)
      histogram.record(Number.POSITIVE_INFINITY)
      histogram.record(Number.NaN)
    },
    difference: 'NaN and infinity are not recorded',
    upkeep: replace({
      [`${scope} size histogram [] ""`]: { '': { count: 1, sum: 5, boundaries: [1], counts: [0, 1] } },
    }),
  },
  'names that violate the rules': {
    program({ meter }) {
      meter.createCounter('1st').add(1)
      meter.createCounter('größe').add(1)
      meter.createCounter('with space').add(1)
      meter.createCounter('a'.repeat(300)).add(1)
    },
  },
  'a name that is empty': {
    program({ meter }) {
      meter.createCounter('').add(1)
      meter.createGauge('').record(1)
      meter.createHistogram(any<string>(undefined)).record(1)
    },
    difference: 'an instrument without a name is not exported',
    upkeep: (sdk) => each(sdk, () => ({})),
  },
  'units with and without a word': {
    program({ meter }) {
      const units = ['1', '%', 'By', 'By/s', 'Cel', '{request}', '{a}/s', 'ms', 'min', 'kBy', 'custom']
      for (const [at, unit] of units.entries()) {
        meter.createCounter(`counter.${at}`, { unit }).add(1)
        meter.createGauge(`gauge.${at}`, { unit }).record(1)
      }
    },
  },
  'an instrument that is created twice': {
    program({ meter, provider }) {
      const options = { unit: 'By', description: 'Sent' }
      meter.createCounter('sent', options).add(1)
      meter.createCounter('sent', options).add(2)
      provider.getMeter('program', '1.2.3').createCounter('sent', options).add(4)
    },
  },
  'instruments whose names differ in case': {
    program({ meter }) {
      meter.createCounter('Sent').add(1)
      meter.createCounter('sent').add(2)
    },
    difference: 'names that differ in case are one instrument',
    upkeep: (sdk) => each(sdk, () => ({ [`${scope} Sent counter [] ""`]: { '': 3 } })),
  },
  'an instrument with another description': {
    program({ meter }) {
      meter.createCounter('sent', { description: 'Longer text' }).add(1)
      meter.createCounter('sent', { description: 'Text' }).add(2)
    },
  },
  'an instrument with another, longer description': {
    program({ meter }) {
      meter.createCounter('sent', { description: 'Text' }).add(1)
      meter.createCounter('sent', { description: 'Longer text' }).add(2)
    },
    difference: 'the first description is used',
    upkeep: (sdk) => each(sdk, () => ({ [`${scope} sent counter [] "Text"`]: { '': 3 } })),
  },
  'an instrument with another unit': {
    program({ meter }) {
      meter.createCounter('sent', { unit: 'By' }).add(1)
      meter.createCounter('sent', { unit: 'kBy' }).add(2)
      meter.createCounter('sent', { unit: 'By' }).add(4)
    },
    difference: 'one kind and unit per name',
    upkeep: without([`${scope} sent counter [kBy] ""`]),
  },
  'an instrument of another kind': {
    program({ meter }) {
      meter.createCounter('sent').add(1)
      meter.createGauge('sent').record(2)
      meter.createHistogram('sent').record(2)
      meter.createObservableGauge('sent').addCallback((result) => result.observe(5))
    },
    difference: 'one kind and unit per name',
    upkeep: without([`${scope} sent gauge [] ""`], [`${scope} sent histogram [] ""`]),
  },
  'an instrument with integers and one without': {
    program({ meter }) {
      meter.createCounter('sent', { valueType: ValueType.INT }).add(1.5)
      meter.createCounter('sent', { valueType: ValueType.DOUBLE }).add(1.5)
    },
    difference: 'integers and fractions of one instrument are added up',
    upkeep: (sdk) => each(sdk, () => ({ [`${scope} sent counter [] ""`]: { '': 2.5 } })),
  },
  'instruments of one name in several scopes': {
    program({ provider }) {
      for (const [at, [name, version]] of [
        ['one', '1.0.0'],
        ['one', '2.0.0'],
        ['other', undefined],
      ].entries()) {
        const meter = provider.getMeter(name as string, version)
        meter.createCounter('sent').add(at + 1)
        meter.createObservableGauge('queue').addCallback((result) => result.observe(at))
      }
      provider.getMeter('kinds').createGauge('sent').record(9)
    },
  },
  'observable instruments': {
    async program({ meter, collect }) {
      let calls = 0
      meter.createObservableCounter('total', { unit: '{call}' }).addCallback((result) => {
        calls += 1
        result.observe(calls * 10, { kind: 'a' })
        result.observe(calls * 20, { kind: 'b', number: 5 })
      })
      meter.createObservableUpDownCounter('open').addCallback((result) => result.observe(-calls))
      meter.createObservableGauge('load', { unit: '1' }).addCallback(async (result) => {
        await new Promise(setImmediate)
        result.observe(0.5)
      })
      meter.createObservableGauge('without.callback')
      await collect()
    },
  },
  'an observable instrument whose attributes change': {
    async program({ meter, collect }) {
      let names = ['a', 'b']
      const observe = (result: { observe(value: number, attributes?: Attributes): void }) => {
        for (const name of names) result.observe(name.length, { name })
      }
      meter.createObservableGauge('gauge').addCallback(observe)
      meter.createObservableCounter('counter').addCallback(observe)
      await collect()
      names = ['b', 'ccc']
      await collect()
      names = []
      await collect()
      names = ['a']
    },
    difference: 'series that are no longer observed are removed',
    upkeep: () =>
      [{ 'name=a': 1, 'name=b': 1 }, { 'name=b': 1, 'name=ccc': 3 }, undefined, { 'name=a': 1 }].map((points) =>
        points === undefined
          ? {}
          : { [`${scope} gauge gauge [] ""`]: points, [`${scope} counter counter [] ""`]: points },
      ),
  },
  'callbacks that are added and removed twice': {
    async program({ meter, collect }) {
      const gauge = meter.createObservableGauge('gauge')
      let calls = 0
      const observe = (result: { observe(value: number): void }) => {
        calls += 1
        result.observe(calls)
      }
      gauge.addCallback(observe)
      gauge.addCallback(observe)
      await collect()
      gauge.removeCallback(observe)
      gauge.removeCallback(observe)
      gauge.removeCallback(() => {})
      await collect()
      gauge.addCallback(observe)
    },
    difference: 'series that are no longer observed are removed',
    upkeep: ([first = {}, , third = {}]) => [first, {}, third],
  },
  'several callbacks for one instrument': {
    program({ meter }) {
      const gauge = meter.createObservableGauge('gauge')
      gauge.addCallback((result) => result.observe(1, { from: 'first' }))
      gauge.addCallback((result) => result.observe(2, { from: 'second' }))
      gauge.addCallback((result) => {
        result.observe(3, { from: 'third' })
        result.observe(4, { from: 'third' })
      })
    },
  },
  'an observable instrument that is created twice': {
    program({ meter }) {
      meter.createObservableGauge('gauge').addCallback((result) => result.observe(1, { from: 'first' }))
      meter.createObservableGauge('gauge').addCallback((result) => result.observe(2, { from: 'second' }))
    },
  },
  'callbacks that throw or reject': {
    async program({ meter, collect }) {
      let fails = true
      const gauge = meter.createObservableGauge('gauge')
      gauge.addCallback((result) => {
        result.observe(1, { from: 'throws' })
        if (fails) throw new Error('cannot observe')
      })
      gauge.addCallback(async (result) => {
        result.observe(2, { from: 'rejects' })
        if (fails) throw new Error('cannot observe')
      })
      gauge.addCallback((result) => result.observe(3, { from: 'succeeds' }))
      await collect()
      fails = false
    },
  },
  'observations that are not numbers': {
    program({ meter }) {
      meter.createObservableGauge('gauge').addCallback((result) => {
        result.observe(any<number>('1'), { kind: 'string' })
        result.observe(any<number>(undefined), { kind: 'undefined' })
        result.observe(1, { kind: 'number' })
      })
      const options = { valueType: ValueType.INT }
      meter.createObservableGauge('integer', options).addCallback((result) => {
        result.observe(-1.9, { kind: 'fraction' })
        result.observe(Number.NaN, { kind: 'NaN' })
      })
    },
  },
  'observations of NaN, and of negative totals': {
    program({ meter }) {
      meter.createObservableGauge('gauge').addCallback((result) => {
        result.observe(Number.NaN, { kind: 'NaN' })
        result.observe(1)
      })
      meter.createObservableCounter('counter').addCallback((result) => {
        result.observe(-1, { kind: 'negative' })
        result.observe(1)
      })
    },
    difference: 'NaN and infinity are not recorded',
    upkeep: without([`${scope} gauge gauge [] ""`, 'kind=NaN'], [`${scope} counter counter [] ""`, 'kind=negative']),
  },
  'a batch callback': {
    async program({ meter, collect }) {
      const used = meter.createObservableGauge('used', { unit: 'By' })
      const limit = meter.createObservableUpDownCounter('limit', { unit: 'By' })
      const faults = meter.createObservableCounter('faults')
      const other = meter.createObservableGauge('other')
      const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
        await new Promise(setImmediate)
        result.observe(used, 10, { space: 'new' })
        result.observe(used, 20, { space: 'old' })
        result.observe(limit, 100)
        result.observe(faults, 3)
        result.observe(other, 7)
        result.observe(any<typeof other>(undefined), 7)
        result.observe(any<typeof other>({}), 7)
        result.observe(used, any<number>('x'), { space: 'string' })
      }
      meter.addBatchObservableCallback(observe, [used, limit, faults])
      meter.addBatchObservableCallback(observe, [faults, limit, used, used])
      meter.addBatchObservableCallback(() => {}, [])
      meter.addBatchObservableCallback(() => {}, [any<typeof other>({})])
      await collect()
      meter.removeBatchObservableCallback(observe, [used])
      await collect()
      meter.removeBatchObservableCallback(observe, [limit, used, faults])
      meter.removeBatchObservableCallback(observe, [limit, used, faults])
    },
    difference: 'series that are no longer observed are removed',
    upkeep: ([first = {}, second = {}]) => [first, second, {}],
  },
  'instruments without a record': {
    program({ meter }) {
      meter.createCounter('counter')
      meter.createHistogram('histogram')
      meter.createUpDownCounter('up.down')
      meter.createGauge('gauge')
    },
  },
  'meters without a name or a version': {
    program({ provider }) {
      provider.getMeter('').createCounter('unnamed').add(1)
      provider.getMeter('named').createCounter('unversioned').add(1)
    },
  },
  'a context argument': {
    program({ meter }) {
      const counter = meter.createCounter('sent')
      counter.add(1, { region: 'eu' }, any<Parameters<Counter['add']>[2]>(undefined))
    },
  },
}
