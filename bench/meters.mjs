// Recording into meters, beside prom-client, OpenTelemetry and hdr-histogram-js: `node bench/meters.mjs`.
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import * as hdr from 'hdr-histogram-js'
import prom from 'prom-client'
import { load, missed, paired, report, shuffled, sink } from './harness.mjs'

const { createMeterRegistry } = await load('upkeep/metrics')

class IdleReader extends MetricReader {
  async onForceFlush() {}
  async onShutdown() {}
}

const regions = ['eu', 'us', 'ap', 'sa']
const methods = ['GET', 'PUT', 'POST', 'DELETE']
const statuses = ['200', '201', '404', '500']
const combinations = shuffled(regions.flatMap((a) => methods.flatMap((b) => statuses.map((c) => [a, b, c]))))
const as = combinations.map(([a]) => a)
const bs = combinations.map(([, b]) => b)
const cs = combinations.map(([, , c]) => c)
const bounds11 = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const bounds100 = Array.from({ length: 100 }, (_, at) => Number((0.001 * 1.1 ** at).toPrecision(6)))
const durations = Float64Array.from({ length: 1024 }, () => 0.002 * Math.exp(3 * Math.random()))

const registry = createMeterRegistry()
const meters = new MeterProvider({ readers: [new IdleReader()] }).getMeter('bench')
const promRegistry = new prom.Registry()
const promOptions = (name, more) => ({ name, help: name, registers: [promRegistry], ...more })

// What a service has besides the meter that is measured: other shapes, other kinds, one to five tags.
function pollute() {
  const keys = ['a', 'b', 'c', 'd', 'e']
  for (let family = 0; family < 5; family++) {
    const counters = registry.counters(`other.${family}`, keys.slice(0, family + 1))
    const timers = registry.timers(`other.timer.${family}`, keys.slice(0, family + 1), { slo: bounds11.slice(family) })
    const summary = registry.summary(`other.summary.${family}`, { a: family }, { percentiles: [0.5, 0.9] })
    const plain = registry.timer(`other.plain.${family}`, { b: family })
    const exponential = registry.summary(`other.exponential.${family}`, { b: family }, { exponential: true })
    for (let i = 0; i < 20_000; i++) {
      const at = i & 63
      const values = [as[at], bs[at], cs[at], at & 1 ? 'x' : 'y', i & 3].slice(0, family + 1)
      counters.with(...values).increment()
      timers.with(...values).record(durations[i & 1023])
      registry.counter(`other.${family}`, Object.fromEntries(values.map((value, k) => [keys[k], value]))).increment(2)
      registry.timer(`other.plain.${family}`, { b: family, c: cs[at] }).start().stop()
      summary.record(i)
      plain.record(durations[i & 1023])
      exponential.record(durations[i & 1023])
    }
  }
}
pollute()

console.log(`Node ${process.version}; nanoseconds are this machine's, ratios are what counts`)
console.log(`${'case'.padEnd(62)} ${'ratio'.padStart(9)} ${'goal'.padStart(8)}`)

// Fields that hold doubles, as a counter must: what is the least that recording can cost.
class Field {
  constructor() {
    this.value = 0.5
    this.value = 0
  }
}

class ThreeFields {
  constructor() {
    this.count = this.total = this.max = 0.5
    this.count = this.total = this.max = 0
  }
}

function preBoundCounter() {
  const field = new Field()
  const counter = registry.counter('bench.bound', { region: 'eu', result: 'success' })
  const bare = new prom.Counter(promOptions('bench_bare'))
  const otel = meters.createCounter('bench.bound')
  const attributes = { region: 'eu', result: 'success' }
  const result = paired({
    field(n) {
      for (let i = 0; i < n; i++) field.value += 1
    },
    counter(n) {
      for (let i = 0; i < n; i++) counter.increment()
    },
    counterBy(n) {
      for (let i = 0; i < n; i++) counter.increment(2)
    },
    bare(n) {
      for (let i = 0; i < n; i++) bare.inc()
    },
    otel(n) {
      for (let i = 0; i < n; i++) otel.add(1, attributes)
    },
  })
  const detail = { detail: `${result.nanoseconds('counter').toFixed(2)} ns` }
  report('counter.increment() / a field += 1', result.ratio('counter', 'field'), { atMost: 1.15, ...detail })
  report('counter.increment(2) / a field += 1', result.ratio('counterBy', 'field'), { atMost: 1.15 })
  report('prom-client without labels / counter.increment()', result.ratio('bare', 'counter'))
  report('OpenTelemetry / counter.increment()', result.ratio('otel', 'counter'))
}

// One counter again and again measures how fast a machine can read what it has just written, so here are sixteen in
// turn.
function preBoundCounters() {
  const sixteen = Array.from({ length: 16 }, (_, at) => String(at))
  const fields = sixteen.map(() => new Field())
  const counters = sixteen.map((at) => registry.counter('bench.bounds', { region: 'eu', result: 'success', at }))
  const promCounter = new prom.Counter(promOptions('bench_bounds', { labelNames: ['region', 'result', 'at'] }))
  const children = sixteen.map((at) => promCounter.labels('eu', 'success', at))
  const otel = meters.createCounter('bench.bounds')
  const attributes = sixteen.map((at) => ({ region: 'eu', result: 'success', at }))
  const result = paired({
    fields(n) {
      for (let i = 0; i < n; i++) fields[i & 15].value += 1
    },
    counters(n) {
      for (let i = 0; i < n; i++) counters[i & 15].increment()
    },
    children(n) {
      for (let i = 0; i < n; i++) children[i & 15].inc()
    },
    otel(n) {
      for (let i = 0; i < n; i++) otel.add(1, attributes[i & 15])
    },
  })
  const detail = { detail: `${result.nanoseconds('counters').toFixed(2)} ns` }
  report('16 counters in turn / 16 fields in turn', result.ratio('counters', 'fields'), detail)
  report('prom-client children / 16 counters in turn', result.ratio('children', 'counters'), { atLeast: 70 })
  report('OpenTelemetry / 16 counters in turn', result.ratio('otel', 'counters'), { atLeast: 200 })
}

function countersByTags() {
  const family = registry.counters('bench.tagged', ['region', 'method', 'status'])
  const labels = new prom.Counter(promOptions('bench_tagged', { labelNames: ['region', 'method', 'status'] }))
  const otel = meters.createCounter('bench.tagged')
  const maps = [regions, methods, statuses].map((values) => new Map(values.map((value, at) => [value, at])))
  const [regionMap, methodMap, statusMap] = maps
  const result = paired({
    maps(n) {
      let sum = 0
      for (let i = 0; i < n; i++) {
        const at = i & 63
        sum += regionMap.get(as[at]) + methodMap.get(bs[at]) + statusMap.get(cs[at])
      }
      sink.value += sum
    },
    with(n) {
      for (let i = 0; i < n; i++) {
        const at = i & 63
        family.with(as[at], bs[at], cs[at]).increment()
      }
    },
    object(n) {
      for (let i = 0; i < n; i++) {
        const at = i & 63
        registry.counter('bench.tagged', { region: as[at], method: bs[at], status: cs[at] }).increment()
      }
    },
    prom(n) {
      for (let i = 0; i < n; i++) {
        const at = i & 63
        labels.inc({ region: as[at], method: bs[at], status: cs[at] })
      }
    },
    otel(n) {
      for (let i = 0; i < n; i++) {
        const at = i & 63
        otel.add(1, { region: as[at], method: bs[at], status: cs[at] })
      }
    },
  })
  const detail = (name) => ({ detail: `${result.nanoseconds(name).toFixed(1)} ns` })
  report('.with(a, b, c) / three Map.get', result.ratio('with', 'maps'), { atMost: 1.6, ...detail('with') })
  report('prom-client / .with(a, b, c)', result.ratio('prom', 'with'), { atLeast: 10, ...detail('prom') })
  report('OpenTelemetry / .with(a, b, c)', result.ratio('otel', 'with'), { atLeast: 25, ...detail('otel') })
  report('prom-client / counter(name, { a, b, c })', result.ratio('prom', 'object'), {
    atLeast: 5,
    ...detail('object'),
  })
  report('OpenTelemetry / counter(name, { a, b, c })', result.ratio('otel', 'object'), { atLeast: 12 })
}

// Ten thousand different sets of tags, whose values are seen again and again, as paths, methods and statuses are.
function newSeries() {
  const tags = Array.from({ length: 10_000 }, (_, at) => ({
    method: `M${at % 10}`,
    status: String(200 + (Math.floor(at / 10) % 10)),
    uri: `/resource/${Math.floor(at / 100)}`,
  }))
  const values = new Map(tags.flatMap((set) => Object.values(set)).map((value) => [value, value]))
  for (const set of tags) for (const key in set) set[key] = values.get(set[key])
  const openRegistry = () => createMeterRegistry({ maximumSeriesPerMeter: Number.POSITIVE_INFINITY })
  const result = paired(
    {
      with(n) {
        const family = openRegistry().counters('bench.new', ['method', 'status', 'uri'])
        for (let i = 0; i < n; i++) {
          const { method, status, uri } = tags[i]
          family.with(method, status, uri).increment()
        }
      },
      object(n) {
        const open = openRegistry()
        for (let i = 0; i < n; i++) {
          const { method, status, uri } = tags[i]
          open.counter('bench.new', { method, status, uri }).increment()
        }
      },
      prom(n) {
        const labelNames = ['method', 'status', 'uri']
        const labels = new prom.Counter({ name: 'bench_new', help: 'x', labelNames, registers: [] })
        for (let i = 0; i < n; i++) {
          const { method, status, uri } = tags[i]
          labels.inc({ method, status, uri })
        }
      },
    },
    { runs: tags.length, rounds: 25 },
  )
  const detail = (name) => ({ detail: `${result.nanoseconds(name).toFixed(0)} ns` })
  report('a new series: prom-client / .with', result.ratio('prom', 'with'), { atLeast: 2, ...detail('with') })
  report('a new series: prom-client / counter(name, {…})', result.ratio('prom', 'object'), {
    atLeast: 1,
    ...detail('object'),
  })
}

function recordings() {
  const timer = registry.timer('bench.timer', { uri: '/a' })
  const summary = registry.summary('bench.summary', { uri: '/a' })
  const timer11 = registry.timer('bench.timer.11', { uri: '/a' }, { slo: bounds11 })
  const timer100 = registry.timer('bench.timer.100', { uri: '/a' }, { slo: bounds100 })
  const percentiles = registry.timer('bench.timer.percentiles', { uri: '/a' }, { percentiles: [0.5, 0.99] })
  const percentileHistogram = registry.timer('bench.timer.histogram', { uri: '/a' }, { percentileHistogram: true })
  const exponential = registry.timer('bench.timer.exponential', { uri: '/a' }, { exponential: true })
  const fields = new ThreeFields()
  const histogram = hdr.build({ useWebAssembly: false, numberOfSignificantValueDigits: 2 })
  const promHistogram = new prom.Histogram(promOptions('bench_histogram', { buckets: bounds11 }))
  const promHistogram100 = new prom.Histogram(promOptions('bench_histogram_100', { buckets: bounds100 }))
  const promSummary = new prom.Summary(promOptions('bench_summary', { maxAgeSeconds: 60, ageBuckets: 3 }))
  const otel = meters.createHistogram('bench.histogram', { advice: { explicitBucketBoundaries: bounds11 } })
  const otel100 = meters.createHistogram('bench.histogram.100', { advice: { explicitBucketBoundaries: bounds100 } })
  const result = paired({
    fields(n) {
      for (let i = 0; i < n; i++) {
        const value = durations[i & 1023]
        fields.count += 1
        fields.total += value
        if (value > fields.max) fields.max = value
      }
    },
    timer(n) {
      for (let i = 0; i < n; i++) timer.record(durations[i & 1023])
    },
    summary(n) {
      for (let i = 0; i < n; i++) summary.record(durations[i & 1023])
    },
    timer11(n) {
      for (let i = 0; i < n; i++) timer11.record(durations[i & 1023])
    },
    timer100(n) {
      for (let i = 0; i < n; i++) timer100.record(durations[i & 1023])
    },
    percentiles(n) {
      for (let i = 0; i < n; i++) percentiles.record(durations[i & 1023])
    },
    percentileHistogram(n) {
      for (let i = 0; i < n; i++) percentileHistogram.record(durations[i & 1023])
    },
    exponential(n) {
      for (let i = 0; i < n; i++) exponential.record(durations[i & 1023])
    },
    hdr(n) {
      for (let i = 0; i < n; i++) histogram.recordValue(durations[i & 1023] * 1e6)
    },
    promHistogram(n) {
      for (let i = 0; i < n; i++) promHistogram.observe(durations[i & 1023])
    },
    promHistogram100(n) {
      for (let i = 0; i < n; i++) promHistogram100.observe(durations[i & 1023])
    },
    promSummary(n) {
      for (let i = 0; i < n; i++) promSummary.observe(durations[i & 1023])
    },
    otel(n) {
      for (let i = 0; i < n; i++) otel.record(durations[i & 1023])
    },
    otel100(n) {
      for (let i = 0; i < n; i++) otel100.record(durations[i & 1023])
    },
  })
  const detail = (name) => ({ detail: `${result.nanoseconds(name).toFixed(2)} ns` })
  const ratio = result.ratio
  report('timer.record / three fields', ratio('timer', 'fields'), { atMost: 1.4, ...detail('timer') })
  report('summary.record / three fields', ratio('summary', 'fields'), { atMost: 1.4, ...detail('summary') })
  report('prom-client windowed summary / timer.record', ratio('promSummary', 'timer'))
  report('prom-client histogram / 11 bounds', ratio('promHistogram', 'timer11'), { atLeast: 30, ...detail('timer11') })
  report('OpenTelemetry histogram / 11 bounds', ratio('otel', 'timer11'), { atLeast: 14 })
  report('prom-client histogram / 100 bounds', ratio('promHistogram100', 'timer100'), {
    atLeast: 30,
    ...detail('timer100'),
  })
  report('OpenTelemetry histogram / 100 bounds', ratio('otel100', 'timer100'), { atLeast: 14 })
  report('100 bounds / 11 bounds', ratio('timer100', 'timer11'), { atMost: 1.5 })
  report('hdr-histogram-js / timer with percentiles', ratio('hdr', 'percentiles'), detail('percentiles'))
  report('timer with percentiles / timer.record', ratio('percentiles', 'timer'), detail('percentiles'))
  report(
    'timer with percentile histogram / timer.record',
    ratio('percentileHistogram', 'timer'),
    detail('percentileHistogram'),
  )
  report('timer with exponential buckets / timer.record', ratio('exponential', 'timer'), detail('exponential'))
}

function startStop() {
  const timer = registry.timer('bench.startstop', { uri: '/a' })
  const promHistogram = new prom.Histogram(promOptions('bench_startstop', { buckets: bounds11 }))
  const result = paired({
    clock(n) {
      let sum = 0
      for (let i = 0; i < n; i++) {
        const start = performance.now()
        sum += performance.now() - start
      }
      sink.value += sum
    },
    timer(n) {
      for (let i = 0; i < n; i++) timer.start().stop()
    },
    prom(n) {
      for (let i = 0; i < n; i++) promHistogram.startTimer()()
    },
  })
  const detail = { detail: `${result.nanoseconds('timer').toFixed(1)} ns` }
  report('timer start + stop / two clock reads', result.ratio('timer', 'clock'), { atMost: 1.25, ...detail })
  report('prom-client startTimer / timer start + stop', result.ratio('prom', 'timer'))
}

preBoundCounter()
preBoundCounters()
countersByTags()
newSeries()
recordings()
startStop()
const misses = missed()
console.log(misses.length === 0 ? 'all goals met' : `missed: ${misses.map(({ what }) => what).join('; ')}`)
registry.close()
process.exitCode = misses.length === 0 ? 0 : 1
