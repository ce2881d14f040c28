import { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import successor from '@prometheus-io/client'
import express from 'express'
import promClient from 'prom-client'
import type { ManagementOptions } from 'upkeep'
import { createManagement, type Management } from 'upkeep'
import { observe } from 'upkeep/express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { listen } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'
import { requestCounts } from '../../support/request-counts.ts'
import { openMetrics, scrape } from '../../support/scrape.ts'

/** A management that measures what the test has it measure, and nothing else. */
function open(metrics: ManagementOptions['metrics'] = {}, options: ManagementOptions = {}): Management {
  const management = createManagement({
    expose: ['metrics', 'prometheus'],
    metrics: { runtime: false, ...metrics },
    ...options,
  })
  onTestFinished(() => management.close())
  return management
}

/** The lines of a page that begin with a name. */
async function linesOf(management: Management, name: string, accept?: string): Promise<readonly string[]> {
  const { text } = await scrape(management, { ...(accept && { accept }) })
  return text.split('\n').filter((line) => line.startsWith(name))
}

/** What a request is observed as, when its response is closed like this. */
function closeRequest(management: Management, status: number, finished: boolean): void {
  const req = new IncomingMessage(new Socket())
  req.method = 'GET'
  const res = new ServerResponse(req)
  res.assignSocket(req.socket)
  res.statusCode = status
  Object.defineProperty(res, 'writableFinished', { value: finished })
  management.observation.begin(
    res,
    '/a',
    (route) => route,
    () => {},
  )
  res.emit('close')
}

describe('prom-client', () => {
  it('merges different labels into one series if a value contains its separators', async () => {
    const collide = async (client: typeof promClient, one: object, other: object) => {
      const registry = new client.Registry()
      const counter = new client.Counter({ name: 'n', help: 'h', labelNames: ['a', 'b'], registers: [registry] })
      counter.inc({ ...one })
      counter.inc({ ...other })
      return (await counter.get()).values.length
    }
    expect(await collide(promClient, { a: '1,b:2' }, { a: '1', b: '2' })).toBe(1)
    expect(await collide(successor as unknown as typeof promClient, { a: 'x|', b: 'y' }, { a: 'x', b: '|y' })).toBe(1)

    const management = open()
    const { meters } = management
    for (const tags of [
      { a: '1,b:2' },
      { a: '1', b: '2' },
      { a: 'x|', b: 'y' },
      { a: 'x', b: '|y' },
      { a: 'x', b: '', c: '|y' },
    ]) {
      meters.counter('n', tags).increment()
    }
    expect([...meters.snapshot('n')]).toHaveLength(5)
    expect(await linesOf(management, 'n_total')).toEqual([
      'n_total{a="1,b:2"} 1',
      'n_total{a="1",b="2"} 1',
      'n_total{a="x|",b="y"} 1',
      'n_total{a="x",b="|y"} 1',
      'n_total{a="x",c="|y"} 1',
    ])
  })

  it('exports an empty and a missing label as two series, which are the same to Prometheus', async () => {
    const report = vi.fn()
    const management = open({}, { report })
    management.meters.counter('n').increment()
    management.meters.counter('n', { a: '' }).increment()
    expect(await linesOf(management, 'n_total')).toHaveLength(1)
    expect(report).toHaveBeenCalledTimes(1)
  })

  it('writes NaN as a number that Prometheus does not parse', async () => {
    const registry = new promClient.Registry()
    new promClient.Gauge({ name: 'n', help: 'h', registers: [registry] }).set(Number.NaN)
    expect(await registry.metrics()).toContain('n Nan')

    const management = open()
    management.meters.gauge('n', {}, () => Number.NaN)
    management.meters.gauge('n.up', {}, () => Number.POSITIVE_INFINITY)
    expect(await linesOf(management, 'n')).toEqual(['n NaN', 'n_up +Inf'])
  })

  it('writes buckets in the order of their configuration', async () => {
    const management = open()
    const timer = management.meters.timer('t', {}, { slo: [5, 1, 5] })
    timer.record(0.5)
    timer.record(3)
    expect(await linesOf(management, 't_seconds_bucket')).toEqual([
      't_seconds_bucket{le="1.0"} 1',
      't_seconds_bucket{le="5.0"} 2',
      't_seconds_bucket{le="+Inf"} 2',
    ])
    expect(() => management.meters.timer('other', {}, { slo: [Number.NaN] })).toThrow(RangeError)
  })

  it('counts all garbage collections of a batch as the first one', async () => {
    const management = open({ runtime: true })
    const collections = () =>
      [...management.meters.snapshot('jvm.gc.pause')].reduce(
        (sum, one) => sum + (one.kind === 'timer' ? one.count : 0),
        0,
      )
    await expect.poll(collections).toBeGreaterThanOrEqual(0)
    const before = collections()
    // They come in one batch, as nothing lets the event loop turn in between.
    for (let n = 0; n < 20; n++) collectGarbage()
    await expect.poll(collections).toBeGreaterThanOrEqual(before + 20)
  })

  it('renames its metrics when scraped as OpenMetrics', async () => {
    const management = open()
    management.meters.counter('orders.total').increment()
    const names = management.meters.names()
    const text = await linesOf(management, 'orders_total')
    await scrape(management, { accept: openMetrics })
    expect(await linesOf(management, 'orders_total')).toEqual(text)
    expect(management.meters.names()).toEqual(expect.arrayContaining([...names]))
    expect(text).toEqual(['orders_total 1'])
  })

  it('blocks the event loop while rendering', async () => {
    const registry = new promClient.Registry()
    const counter = new promClient.Counter({ name: 'n', help: 'h', labelNames: ['i'], registers: [registry] })
    const management = open({ maximumSeriesPerMeter: 30_000 })
    const counters = management.meters.counters('n', ['i'])
    for (let i = 0; i < 20_000; i++) {
      counters.with(`series number ${i}`).increment()
      counter.inc({ i: `series number ${i}` })
    }
    const turnsDuring = async (work: () => Promise<string>) => {
      let turns = 0
      let isDone = false
      const turn = () => {
        turns++
        if (!isDone) setImmediate(turn)
      }
      setImmediate(turn)
      const { length } = await work()
      isDone = true
      return { turns, length }
    }
    const theirs = await turnsDuring(() => registry.metrics())
    const ours = await turnsDuring(async () => (await scrape(management)).text)
    expect(theirs.turns).toBeLessThanOrEqual(1)
    // One turn for each 64 KiB at least.
    expect(ours.length).toBeGreaterThan(10 * 65_536)
    expect(ours.turns).toBeGreaterThanOrEqual(Math.floor(ours.length / 65_536))
  })

  it('resets the event loop delay for all scrapers at each scrape', async () => {
    const management = open({ runtime: true })
    const delays = () =>
      [...management.meters.snapshot('nodejs.eventloop.delay')].map((one) => one.kind === 'timer' && one)
    await expect.poll(() => delays()[0]).toMatchObject({ count: expect.toSatisfy((count: number) => count > 2) })
    const [first] = delays()
    await linesOf(management, 'nodejs_eventloop_delay')
    const [second] = delays()
    if (!first || !second) throw new Error('there is no such timer')
    expect(second.count).toBeGreaterThanOrEqual(first.count)
    expect(second.max).toBeGreaterThanOrEqual(first.max)
    expect(second.percentiles?.at(-1)?.value).toBeGreaterThan(0)
  })

  it('fills the ring of a sliding window with one digest, so that values expire late', () => {
    let now = 0
    const clock = { wallTime: () => now, monotonicTime: () => now }
    const management = open({}, { clock })
    const summary = management.meters.summary('sizes', {}, { percentiles: [0.5] })
    const median = () => {
      const [one] = management.meters.snapshot('sizes')
      return one?.kind === 'summary' ? one.percentiles?.[0]?.value : undefined
    }
    summary.record(1_000)
    now += 60_000
    summary.record(10)
    summary.record(10)
    expect(median()).toBeCloseTo(10, 0)
    expect(summary.max).toBe(1_000)
    now += 120_000
    expect(summary.max).toBe(10)
    expect(median()).toBeCloseTo(10, 0)
    now += 60_000
    expect([summary.max, median()]).toEqual([0, 0])
  })

  it('throws when a metric is registered twice', () => {
    const { meters } = open()
    expect(meters.counter('n', { a: 1 })).toBe(meters.counter('n', { a: 1 }))
    expect(() => meters.timer('n', { a: 1 })).toThrow(/There is already a counter 'n'/)
  })

  it('has collectors that cannot be stopped and keep the process alive', () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')
    const management = open({ runtime: true })
    management.meters.timer('t').record(1)
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')).toEqual(before)
  })

  it('has an unlimited number of series', () => {
    const { meters } = open({ maximumSeriesPerMeter: 10 }, { report: () => {} })
    for (let n = 0; n < 1_000; n++) meters.counter('n', { user: n }).increment()
    expect([...meters.snapshot('n')]).toHaveLength(11)
    const [...all] = meters.snapshot('n')
    expect(all.reduce((sum, one) => sum + (one.kind === 'counter' ? one.value : 0), 0)).toBe(1_000)
  })

  it('accepts label sets only under a name', () => {
    const { meters } = open()
    meters.counter('n', { a: 1 }).increment()
    meters.counter('n', { b: 1 }).increment()
    expect([...meters.snapshot('n')]).toHaveLength(2)
  })
})

describe('express-prom-bundle', () => {
  it('creates series for the paths that clients request', async () => {
    const management = open()
    const orders = express.Router()
    orders.get('/users/:name', (_req, res) => void res.end())
    const { port, close } = await listen(express().use(observe(management)).use('/api/:version', orders))
    onTestFinished(close)
    for (const target of ['/api/v1/users/alice', '/api/v2/users/bob', '/wp-login.php', '/.env'])
      await createRawClient(port)({ target })
    await expect
      .poll(() => [...requestCounts(management.meters)])
      .toEqual([
        ['/api/:version/users/:name GET 200 SUCCESS none', 2],
        ['NOT_FOUND GET 404 CLIENT_ERROR none', 2],
      ])
  })

  it('responds with 404 to a scrape of selected names', async () => {
    const management = open()
    management.meters.counter('orders.placed')
    management.meters.counter('orders.lost')
    const { text } = await scrape(management, { query: '?name[]=orders_lost_total' })
    expect(text).toContain('orders_lost_total')
    expect(text).not.toContain('orders_placed')
  })

  it('omits the version from the media type', async () => {
    expect((await scrape(open())).mediaType).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect((await scrape(open(), { accept: openMetrics })).mediaType).toMatch(
      /^application\/openmetrics-text; version=1\.0\.0/,
    )
  })

  it('has a gauge "up", which is reserved by Prometheus', async () => {
    expect(await linesOf(open({ runtime: true }), 'up ')).toEqual([])
  })
})

describe('promster', () => {
  it('ignores aborted requests, which others count as completed', () => {
    const management = open()
    closeRequest(management, 200, false)
    expect([...requestCounts(management.meters).keys()]).toEqual(['/a GET 499 ABORTED none'])
  })

  it('stores its recorder in the module, where two of them collide', () => {
    const [one, other] = [open(), open()]
    closeRequest(one, 200, true)
    expect([requestCounts(one.meters).size, requestCounts(other.meters).size]).toEqual([1, 0])
  })
})

describe("OpenTelemetry's exporter for Prometheus", () => {
  it('responds with 200 and a comment if one metric fails, and loses all', async () => {
    const report = vi.fn()
    const management = open({}, { report })
    management.meters.gauge('broken', {}, () => {
      throw new Error('no')
    })
    management.meters.counter('orders.placed').increment()
    expect(await linesOf(management, 'orders_placed_total')).toEqual(['orders_placed_total 1'])
    expect(report).toHaveBeenCalledTimes(1)
  })

  it('ignores Accept', async () => {
    const management = open()
    management.meters.counter('n').increment()
    expect((await scrape(management, { accept: `text/plain;q=0.5,${openMetrics}` })).text).toMatch(/# EOF\n$/)
    expect((await scrape(management, { accept: `text/plain,${openMetrics};q=0.5` })).text).not.toContain('# EOF')
  })

  it('merges two names that become equal after sanitizing', async () => {
    const report = vi.fn()
    const management = open({}, { report })
    management.meters.counter('a.b').increment(1)
    management.meters.counter('a_b').increment(2)
    expect(await linesOf(management, 'a_b_total')).toEqual(['a_b_total 1'])
    expect(report).toHaveBeenCalledTimes(1)
  })

  it('has buckets for milliseconds, but measures seconds', async () => {
    const management = open()
    management.meters.timer('t', {}, { percentileHistogram: true }).record(0.25)
    const bounds = (await linesOf(management, 't_seconds_bucket')).map((line) =>
      Number(/le="(.*)"/.exec(line)?.[1]?.replace('+Inf', 'Infinity')),
    )
    expect(bounds.filter((bound) => bound <= 0.25).length).toBeGreaterThan(10)
    expect(bounds.at(-2)).toBe(30)
  })
})

describe('all of them', () => {
  it('count the requests of the scrape as requests to the application', () => {
    const management = open()
    const req = new IncomingMessage(new Socket())
    const res = new ServerResponse(req)
    res.assignSocket(req.socket)
    management.observation.begin(
      res,
      undefined,
      () => undefined,
      () => {},
    )
    management.observation.excludeFromObservation(res)
    res.emit('close')
    expect(requestCounts(management.meters).size).toBe(0)
  })
})

describe('Micrometer', () => {
  it('reports NaN for a gauge whose object was garbage-collected', async () => {
    const management = open()
    const watch = (size: number) =>
      management.meters.gauge('listeners', {}, Object.assign(new EventEmitter(), { size }), (each) => each.size)
    watch(7)
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(await linesOf(management, 'listeners')).toEqual(['listeners 7'])
  })
})
