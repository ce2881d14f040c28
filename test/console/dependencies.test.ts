import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { Dependencies } from '../../src/console/screens/dependencies.ts'
import { createManualClock } from '../support/manual-clock.ts'

function create() {
  const clock = createManualClock()
  const meters = createMeterRegistry()
  const dependencies = new Dependencies(() => meters, clock)
  const pass = (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      clock.advance(60_000)
      dependencies.turn()
    }
  }
  return { clock, meters, dependencies, pass }
}

const none = { exception: 'none', error: 'none', outcome: 'SUCCESS' }

describe('Dependencies', () => {
  it('has the calls to each target, of all operations together', () => {
    const { meters, dependencies } = create()
    meters.timer('http.client.requests', { 'client.name': 'pay.example', uri: '/a', ...none }).record(0.1)
    meters.timer('http.client.requests', { 'client.name': 'pay.example', uri: '/b', ...none }).record(0.3)
    meters
      .timer('http.client.requests', { 'client.name': 'pay.example', uri: '/b', ...none, outcome: 'SERVER_ERROR' })
      .record(0.2)
    const tags = { system: 'postgresql', namespace: 'orders', operation: 'SELECT', collection: 'a', error: 'none' }
    meters.timer('db.client.operation.duration', tags).record(0.01)
    meters
      .timer('messaging.client.operation.duration', { system: 'kafka', destination: 'none', error: 'Timeout' })
      .record(1)
    expect(dependencies.read().outgoing).toMatchObject([
      {
        kind: 'http',
        target: 'pay.example',
        calls: 3,
        errors: 1,
        meanSeconds: expect.closeTo(0.2),
        maximumSeconds: 0.3,
      },
      { kind: 'database', target: 'postgresql/orders', calls: 1, errors: 0 },
      { kind: 'messaging', target: 'kafka', calls: 1, errors: 1 },
    ])
  })

  it('has the rate of the last one to two minutes', () => {
    const { meters, dependencies, pass, clock } = create()
    const timer = meters.timer('http.client.requests', { 'client.name': 'pay.example', ...none })
    const rate = () => dependencies.read().outgoing[0]?.rate
    clock.advance(10_000)
    for (let call = 0; call < 20; call++) timer.record(0.1)
    expect(rate()).toBe(2)
    pass(3)
    for (let call = 0; call < 30; call++) timer.record(0.1)
    expect(rate()).toBe(0.5)
    pass(3)
    expect(rate()).toBe(0)
  })

  it('has pools, tasks and caches', () => {
    const { meters, dependencies } = create()
    const gauges = { active: 3, idle: 1, max: 4, pending: 2 }
    for (const [name, value] of Object.entries(gauges)) {
      meters.gauge(`hikaricp.connections.${name}`, { pool: 'orders' }, () => value)
    }
    meters
      .timer('tasks.scheduled.execution', { 'code.namespace': 'jobs', 'code.function': 'clean', error: 'none' })
      .record(2)
    meters.counter('cache.gets', { cache: 'products', result: 'hit' }).increment(9)
    meters.counter('cache.gets', { cache: 'products', result: 'miss' }).increment()
    meters.gauge('cache.size', { cache: 'products' }, () => 5)
    expect(dependencies.read()).toMatchObject({
      outgoing: [],
      pools: [{ name: 'orders', used: 3, idle: 1, maximum: 4, waiting: 2 }],
      tasks: [{ name: 'jobs.clean', runs: 1, failures: 0, meanSeconds: 2, maximumSeconds: 2 }],
      caches: [{ name: 'products', hits: 9, misses: 1, size: 5 }],
    })
  })

  it('has 300 targets of a kind, counts the calls to others together, and lists 300 pools, tasks and caches', () => {
    const { meters, dependencies } = create()
    for (let index = 0; index < 900; index++) {
      meters.timer('http.client.requests', { 'client.name': `${index}.example`, ...none }).record(0.1)
      meters.counter('cache.gets', { cache: `c${index}`, result: 'hit' }).increment()
      meters.gauge('hikaricp.connections.active', { pool: `p${index}` }, () => 1)
    }
    meters.timer('db.client.operation.duration', { system: 'x'.repeat(9_000), error: 'none' }).record(1)
    const { outgoing, pools, caches, tasks, omitted } = dependencies.read()
    expect(outgoing).toHaveLength(302)
    expect(outgoing.find(({ target }) => target === '(others)')).toMatchObject({ kind: 'http', calls: 600 })
    expect(outgoing.find(({ kind }) => kind === 'database')?.target).toBe('x'.repeat(300))
    expect([pools.length, tasks.length, caches.length, omitted]).toEqual([300, 0, 300, 1_200])
  })

  it('reads the names of OpenTelemetry as well', () => {
    const { meters, dependencies } = create()
    meters.timer('http.client.request.duration', { 'server.address': 'pay.example', 'error.type': '500' }).record(1)
    const pool = { 'db.client.connection.pool.name': 'orders' }
    meters.gauge('db.client.connection.count', { ...pool, 'db.client.connection.state': 'used' }, () => 2)
    meters.gauge('db.client.connection.count', { ...pool, 'db.client.connection.state': 'idle' }, () => 1)
    expect(dependencies.read()).toMatchObject({
      outgoing: [{ target: 'pay.example', errors: 1 }],
      pools: [{ name: 'orders', used: 2, idle: 1, waiting: 0 }],
    })
  })
})
