import { type Meter, metrics } from '@opentelemetry/api'
import { createManagement, type ManagementOptions } from 'upkeep'
import { deny, histogram, ignoreTags, renameMeter } from 'upkeep/metrics'
import { registerMeterProvider } from 'upkeep/opentelemetry'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { scrape } from '../support/scrape.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

function setUp(options: ManagementOptions['metrics'] = {}) {
  const reports: string[] = []
  const management = createManagement({
    expose: ['prometheus', 'metrics'],
    metrics: { runtime: false, ...options },
    report: (message) => void reports.push(message),
  })
  ends.push(management.close, registerMeterProvider(management))
  const meter: Meter = metrics.getMeter('lib', '1.0.0')
  const samples = async () => {
    const { text } = await scrape(management)
    return text.split('\n').filter((line) => line !== '' && !/^#|^upkeep_/.test(line))
  }
  return { management, meter, reports, samples }
}

const scope = 'otel_scope_name="lib",otel_scope_version="1.0.0"'

describe('the scrape', () => {
  it('has every kind of instrument, with units by the rules for Prometheus', async () => {
    const { meter, samples } = setUp({ filters: [ignoreTags('otel.scope.name', 'otel.scope.version')] })
    meter.createCounter('orders.placed', { unit: '{order}' }).add(2, { region: 'eu' })
    meter.createUpDownCounter('requests.active', { unit: '{request}' }).add(-1)
    meter.createGauge('pool.usage', { unit: '1' }).record(0.5)
    meter.createHistogram('size', { unit: 'By', advice: { explicitBucketBoundaries: [10] } }).record(7)
    meter.createHistogram('call', { unit: 's', advice: { explicitBucketBoundaries: [1] } }).record(0.25)
    meter.createHistogram('wait', { unit: 'ms', advice: { explicitBucketBoundaries: [] } }).record(40)
    meter.createObservableCounter('sent', { unit: 'By' }).addCallback((result) => result.observe(9))
    meter.createObservableGauge('rate', { unit: 'By/s' }).addCallback((result) => result.observe(3))
    expect(await samples()).toEqual([
      ...['call_seconds_bucket{le="1.0"} 1', 'call_seconds_bucket{le="+Inf"} 1'],
      ...['call_seconds_sum 0.25', 'call_seconds_count 1', 'call_seconds_max 0.25'],
      'orders_placed_total{region="eu"} 2',
      'pool_usage_ratio 0.5',
      'rate_bytes_per_second 3',
      'requests_active -1',
      'sent_bytes_total 9',
      ...['size_bytes_bucket{le="10.0"} 1', 'size_bytes_bucket{le="+Inf"} 1'],
      ...['size_bytes_sum 7', 'size_bytes_count 1', 'size_bytes_max 7'],
      ...['wait_milliseconds_sum 40', 'wait_milliseconds_count 1', 'wait_milliseconds_max 40'],
    ])
  })

  it('shows the scope of each instrument', async () => {
    const { meter, samples } = setUp()
    meter.createCounter('sent').add(1)
    metrics.getMeter('other').createCounter('sent').add(2)
    expect(await samples()).toEqual([`sent_total{${scope}} 1`, 'sent_total{otel_scope_name="other"} 2'])
  })

  it('is read by the metrics endpoint as well', async () => {
    const { management, meter } = setUp()
    meter.createObservableGauge('queue').addCallback(async (result) => result.observe(4))
    const { text } = await scrape(management)
    expect(text).toContain('queue')
    expect([...management.measurements.snapshot('queue')]).toMatchObject([{ kind: 'gauge', value: 4 }])
  })
})

describe('filters of the registry', () => {
  it('add up the counters and up-down counters of which they remove a tag', async () => {
    const { meter, samples } = setUp({ filters: [ignoreTags('user', 'otel.scope.name', 'otel.scope.version')] })
    const counter = meter.createCounter('calls')
    const active = meter.createUpDownCounter('active')
    for (let user = 0; user < 5; user++) {
      counter.add(2, { user, kind: 'a' })
      active.add(user % 2 === 0 ? 1 : -2, { user, kind: 'a' })
    }
    expect(await samples()).toEqual(['active{kind="a"} -1', 'calls_total{kind="a"} 10'])
  })

  it('keep the series of an observable instrument while one of its attributes is still observed', async () => {
    const { meter, samples } = setUp({ filters: [ignoreTags('user', 'otel.scope.name', 'otel.scope.version')] })
    let users = ['a', 'b']
    meter.createObservableGauge('load').addCallback((result) => {
      for (const user of users) result.observe(users.length, { user })
    })
    expect(await samples()).toEqual(['load 2'])
    users = ['b']
    expect(await samples()).toEqual(['load 1'])
    users = []
    expect(await samples()).toEqual([])
  })

  it('rename, deny and configure meters', async () => {
    const { meter, samples } = setUp({
      filters: [
        ignoreTags('otel.scope.name', 'otel.scope.version'),
        renameMeter('old', 'new'),
        deny('noise'),
        histogram('size', { slo: [1, 2] }),
      ],
    })
    meter.createCounter('old').add(1)
    meter.createCounter('noise').add(1)
    meter.createHistogram('size').record(1.5)
    expect(await samples()).toEqual([
      'new_total 1',
      ...['size_bucket{le="1.0"} 0', 'size_bucket{le="2.0"} 1', 'size_bucket{le="+Inf"} 1'],
      ...['size_sum 1.5', 'size_count 1', 'size_max 1.5'],
    ])
  })
})

describe('the limit of series', () => {
  it('bounds every kind of synchronous instrument', async () => {
    const { meter, samples, reports } = setUp({ maximumSeriesPerMeter: 3 })
    const counter = meter.createCounter('calls')
    const active = meter.createUpDownCounter('active')
    const size = meter.createHistogram('size', { advice: { explicitBucketBoundaries: [] } })
    for (let user = 0; user < 20_000; user++) {
      counter.add(1, { user: `user ${user}` })
      active.add(1, { user: `user ${user}` })
      size.record(1, { user: `user ${user}` })
    }
    const overflow = 'user="_overflow"'
    const lines = await samples()
    const others = (name: string, label = scope) => `${name}{${label},${overflow}} 19997`
    expect(lines).toEqual(expect.arrayContaining([others('calls_total'), others('active'), others('size_count')]))
    expect(lines.filter((line) => line.startsWith('calls_total'))).toHaveLength(4)
    expect(reports.filter((message) => message.includes('reached its maximum'))).toHaveLength(3)
  })
})

describe('a mistake', () => {
  it('is reported once, and counted', async () => {
    const { meter, management, reports } = setUp()
    const counter = meter.createCounter('calls')
    for (let time = 0; time < 5; time++) {
      counter.add(-1)
      counter.add(Number.NaN)
      counter.add('5' as unknown as number)
      meter.createCounter('1st')
      meter.createGauge('calls')
    }
    expect(reports).toEqual([
      "opentelemetry: 'calls': expected a finite number of 0 or more, received -1; it is not recorded",
      "opentelemetry: 'calls': expected a finite number of 0 or more, received NaN; it is not recorded",
      "opentelemetry: 'calls': expected a number, received a string; it is not recorded",
      'opentelemetry: the name of an instrument: expected a letter, then at most 254 letters, digits, ' +
        '"_", ".", "-" or "/", received "1st"',
      `opentelemetry: the instrument 'calls' of 'lib' exists as counter in ""; one as gauge in "" is not exported: ` +
        'give it another name',
    ])
    expect(management.meters.counter('upkeep.meters.dropped', { meter: 'calls' }).value).toBe(15)
  })

  it('in a name that the application uses for another kind is reported', async () => {
    const { management, reports, samples } = setUp()
    management.meters.counter('calls').increment()
    const gauge = metrics.getMeter('').createGauge('calls')
    gauge.record(1)
    gauge.record(2, { region: 'eu' })
    expect(reports).toEqual(["opentelemetry: the instrument 'calls' conflicts with another meter; it is not exported"])
    expect(await samples()).toContain('calls_total 1')
  })
})

describe('a callback of an observable instrument', () => {
  it('that hangs delays one scrape by 5 seconds, and is not called again until it settles', async () => {
    const { meter, reports, samples } = setUp({ filters: [ignoreTags('otel.scope.name', 'otel.scope.version')] })
    let calls = 0
    let settle = () => {}
    meter.createObservableGauge('slow').addCallback(async (result) => {
      calls += 1
      if (calls === 1) await new Promise<void>((resolve) => (settle = resolve))
      result.observe(calls)
    })
    meter.createObservableGauge('fast').addCallback((result) => result.observe(1))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const first = samples()
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await first).toEqual(['fast 1'])
    expect(await samples()).toEqual(['fast 1'])
    expect([calls, reports.length]).toEqual([1, 1])
    expect(reports[0]).toContain('of an observable instrument failed')
    settle()
    await new Promise(setImmediate)
    expect(await samples()).toEqual(['fast 1', 'slow 2'])
  })

  it('that fails is reported once, and does not affect others', async () => {
    const { meter, reports, samples } = setUp({ filters: [ignoreTags('otel.scope.name', 'otel.scope.version')] })
    meter.createObservableGauge('failing').addCallback(() => {
      throw new Error('cannot observe')
    })
    meter.createObservableGauge('fine').addCallback((result) => result.observe(1))
    expect([await samples(), await samples()]).toEqual([['fine 1'], ['fine 1']])
    expect(reports).toHaveLength(1)
  })

  it('is called once for scrapes that overlap', async () => {
    const { meter, samples } = setUp()
    let calls = 0
    meter.createObservableGauge('queue').addCallback(async (result) => {
      calls += 1
      await new Promise(setImmediate)
      result.observe(calls)
    })
    await Promise.all([samples(), samples(), samples()])
    expect(calls).toBe(1)
  })
})
