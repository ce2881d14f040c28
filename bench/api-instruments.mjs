// Recording through OpenTelemetry's API, with upkeep behind it and with the official SDK: `node
// bench/api-instruments.mjs`.
import * as api from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { load, missed, paired, report, shuffled } from './harness.mjs'

const { createMeterRegistry } = await load('upkeep/metrics')
const { registerMeterProvider } = await load('upkeep/opentelemetry')

class IdleReader extends MetricReader {
  async onForceFlush() {}
  async onShutdown() {}
}

const regions = ['eu', 'us', 'ap', 'sa']
const methods = ['GET', 'PUT', 'POST', 'DELETE']
const statuses = ['200', '201', '404', '500']
const combinations = shuffled(regions.flatMap((a) => methods.flatMap((b) => statuses.map((c) => [a, b, c]))))
const attributes = combinations.map(([region, method, status]) => ({ region, method, status }))
const numbers = combinations.map(([region, method, status]) => ({ region, method, status: Number(status) }))
const as = combinations.map(([a]) => a)
const bs = combinations.map(([, b]) => b)
const cs = combinations.map(([, , c]) => c)

registerMeterProvider({ meters: createMeterRegistry() }, { api })
const upkeep = api.metrics.getMeter('bench', '1.0.0')
const sdk = new MeterProvider({ readers: [new IdleReader()] }).getMeter('bench', '1.0.0')

// What a service has besides the instrument that is measured: other kinds, one to five attributes.
function pollute() {
  const keys = ['a', 'b', 'c', 'd', 'e']
  for (let count = 0; count <= keys.length; count++) {
    const counter = upkeep.createCounter(`other.${count}`)
    const upDown = upkeep.createUpDownCounter(`other.up.down.${count}`)
    const gauge = upkeep.createGauge(`other.gauge.${count}`)
    const histogram = upkeep.createHistogram(`other.histogram.${count}`, { unit: count % 2 === 0 ? 's' : 'ms' })
    for (let i = 0; i < 20_000; i++) {
      const at = i & 63
      const values = [as[at], bs[at], cs[at], (at & 1) === 1, i & 3].slice(0, count)
      const given = Object.fromEntries(values.map((value, k) => [keys[k], value]))
      counter.add(1, given)
      upDown.add(-1, given)
      gauge.record(i, given)
      histogram.record(at / 100, given)
    }
  }
}
pollute()

console.log(`Node ${process.version}; nanoseconds are this machine's, ratios are what counts`)
console.log(`${'case'.padEnd(62)} ${'ratio'.padStart(9)} ${'goal'.padStart(8)}`)

/** Compares a loop, of which each contender gets a copy: the calls of a shared one would be megamorphic. */
function compare(what, make, loop, goal) {
  const copy = () => new Function('attributes', 'numbers', 'as', 'bs', 'cs', `return ${loop}`)
  const runs = [copy(), copy()].map((each) => each(attributes, numbers, as, bs, cs))
  const [ours, theirs] = [make(upkeep), make(sdk)]
  const result = paired({ ours: (n) => runs[0](ours, n), theirs: (n) => runs[1](theirs, n) })
  const detail = `${result.nanoseconds('ours').toFixed(1)} ns, ${result.nanoseconds('theirs').toFixed(0)} ns`
  report(`the SDK / upkeep: ${what}`, result.ratio('theirs', 'ours'), { atLeast: goal, detail })
}

const counter = (name) => (meter) => meter.createCounter(name)

compare(
  'Counter.add, the same 3 attributes',
  counter('same'),
  (instrument, n) => {
    const [same] = attributes
    for (let i = 0; i < n; i++) instrument.add(1, same)
  },
  10,
)
compare(
  'Counter.add, 3 attributes in a new object',
  counter('fresh'),
  (instrument, n) => {
    for (let i = 0; i < n; i++) {
      const at = i & 63
      instrument.add(1, { region: as[at], method: bs[at], status: cs[at] })
    }
  },
  10,
)
compare(
  'Counter.add, 3 attributes, one of them a number',
  counter('number'),
  (instrument, n) => {
    for (let i = 0; i < n; i++) instrument.add(1, numbers[i & 63])
  },
  10,
)
compare('Counter.add without attributes', counter('none'), (instrument, n) => {
  for (let i = 0; i < n; i++) instrument.add(1)
})
compare(
  'UpDownCounter.add, 3 attributes',
  (meter) => meter.createUpDownCounter('up.down'),
  (instrument, n) => {
    for (let i = 0; i < n; i++) instrument.add(-1, attributes[i & 63])
  },
  8,
)
compare(
  'Histogram.record, 3 attributes, 14 buckets',
  (meter) => meter.createHistogram('histogram', { unit: 'ms' }),
  (instrument, n) => {
    for (let i = 0; i < n; i++) instrument.record(i & 1023, attributes[i & 63])
  },
  8,
)
compare('Counter.add, an attribute that is undefined', counter('undefined'), (instrument, n) => {
  for (let i = 0; i < n; i++) {
    const at = i & 63
    instrument.add(1, { region: as[at], method: undefined, status: cs[at] })
  }
})

if (missed().length > 0) process.exitCode = 1
