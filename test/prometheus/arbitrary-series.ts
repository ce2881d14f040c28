import fc from 'fast-check'
import type { MeterSnapshot } from 'upkeep/metrics'
import type { BucketsSnapshot, Exemplar } from '../../src/metrics/snapshot.ts'
import { counter, functionTimer, gauge, longTaskTimer, summary, timer } from './snapshots.ts'

/** Text of every nasty kind: separators, escapes, control characters, characters of every plane, lone surrogates. */
const nastyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', 'a', 'b', 'a.b', 'a_b', 'a-b', 'le', 'quantile', '__name__', '__proto__'),
  },
  fc.constantFrom(
    '\\',
    '"',
    '\n',
    '\\n',
    '\\"',
    ' ',
    '\r\n',
    '\u2028',
    '\u0000',
    '\ufffd',
    '\ud800',
    '\udfff',
    '} 1 # {a="b"} 1',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
)

const meterName = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', 'a.b', 'a_b', 'a.seconds', 'a.total', 'a.max', 'a.seconds.count', 'a.info', 'z'),
  },
  nastyText,
)

const id = {
  tags: fc.uniqueArray(fc.record({ key: nastyText, value: nastyText }), { selector: ({ key }) => key, maxLength: 4 }),
  description: fc.option(nastyText, { nil: undefined }),
  baseUnit: fc.option(fc.oneof(fc.constantFrom('bytes', 'seconds', 'total'), nastyText), { nil: undefined }),
}

const anyValue = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, 1, 1, Number.NaN, 2 ** 53, 1e21, 1e300))
const amount = fc.oneof(fc.double({ min: 0, noNaN: true }), fc.nat())
const created = fc.oneof(fc.double({ min: 0, max: 4e9, noNaN: true }), fc.constant(Number.NaN))

/** The Python client takes the first `}` for the end of an exemplar's labels, even inside of a value. */
const exemplarText = nastyText.map((text) => text.replaceAll('}', ')'))

const exemplar: fc.Arbitrary<Exemplar> = fc.record({
  value: fc.double({ noNaN: true }),
  traceId: fc.oneof(fc.constant('4bf92f3577b34da6a3ce929d0e0e4736'), exemplarText, fc.constant('x'.repeat(113))),
  spanId: fc.oneof(fc.constant('00f067aa0ba902b7'), exemplarText),
  timestamp: created,
})
const perhapsExemplar = fc.option(exemplar, { nil: undefined })

const buckets: fc.Arbitrary<BucketsSnapshot> = fc
  .uniqueArray(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), {
    minLength: 1,
    maxLength: 5,
    comparator: 'IsStrictlyEqual',
  })
  .chain((bounds) =>
    fc.record({
      bounds: fc.constant([...bounds].sort((a, b) => a - b)),
      counts: fc.array(fc.nat({ max: 2 ** 40 }), { minLength: bounds.length + 1, maxLength: bounds.length + 1 }),
    }),
  )

const percentiles = fc
  .uniqueArray(fc.record({ quantile: fc.double({ min: 0, max: 1, noNaN: true }), value: amount }), {
    selector: ({ quantile }) => quantile,
    comparator: 'IsStrictlyEqual',
    minLength: 1,
    maxLength: 3,
  })
  .map((list) => [...list].sort((a, b) => a.quantile - b.quantile))

const distribution = fc
  .record({
    ...id,
    created,
    count: fc.nat(),
    total: amount,
    max: amount,
    percentiles: fc.option(percentiles, { nil: undefined }),
    buckets: fc.option(buckets, { nil: undefined }),
  })
  .chain(({ buckets, count, ...rest }) =>
    fc.record({
      rest: fc.constant({
        ...rest,
        ...(buckets && { buckets }),
        count: buckets ? buckets.counts.reduce((sum, each) => sum + each, 0) : count,
      }),
      exemplars: fc.option(
        fc.array(perhapsExemplar, {
          minLength: buckets?.counts.length ?? 0,
          maxLength: buckets?.counts.length ?? 0,
        }),
        { nil: undefined },
      ),
    }),
  )
  .map(({ rest, exemplars }) => ({ ...rest, ...(exemplars && { exemplars }) }))

const series: fc.Arbitrary<MeterSnapshot> = fc.oneof(
  fc
    .tuple(meterName, anyValue, fc.record({ ...id, created, exemplar: perhapsExemplar }))
    .map(([name, value, rest]) => counter(name, value, defined(rest))),
  fc.tuple(meterName, anyValue, fc.record(id)).map(([name, value, rest]) => gauge(name, value, defined(rest))),
  fc.tuple(meterName, distribution).map(([name, rest]) => timer(name, defined(rest))),
  fc.tuple(meterName, distribution).map(([name, rest]) => summary(name, defined(rest))),
  fc
    .tuple(meterName, fc.record({ ...id, created, count: anyValue, total: anyValue }))
    .map(([name, rest]) => functionTimer(name, defined(rest))),
  fc
    .tuple(
      meterName,
      fc.record({
        ...id,
        activeTasks: fc.nat(),
        duration: amount,
        max: amount,
        buckets: fc.option(buckets, { nil: undefined }),
      }),
    )
    .map(([name, { buckets, activeTasks, ...rest }]) =>
      longTaskTimer(name, {
        ...defined(rest),
        ...(buckets && { buckets }),
        activeTasks: buckets ? buckets.counts.reduce((sum, each) => sum + each, 0) : activeTasks,
      }),
    ),
)

/** What a registry could hold: no two series of one name and the same tags; one unit for all of one name and kind. */
export const arbitrarySeries: fc.Arbitrary<readonly MeterSnapshot[]> = fc
  .uniqueArray(series, { maxLength: 8, selector: ({ id: { name, tags } }) => JSON.stringify([name, tags]) })
  .map((all) => all.map((each) => ({ ...each, id: { ...each.id, baseUnit: unitOf(each, all) } })))

function unitOf({ id, kind }: MeterSnapshot, all: readonly MeterSnapshot[]): string | undefined {
  return all.find((other) => other.id.name === id.name && other.kind === kind)?.id.baseUnit
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Without the properties that are `undefined`. */
function defined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>
}
