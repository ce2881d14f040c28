import type { HealthCheck } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { type AggregatorOptions, createAggregator } from '../../src/health/aggregator.ts'
import type { CompletedCheck } from '../../src/health/checks/check-runner.ts'
import { type Deferred, deferred } from '../support/deferred.ts'
import { useFakeTime } from '../support/fake-time.ts'

const clock = useFakeTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const states = { livenessState: { state: () => 'UP' }, readinessState: { state: () => 'UP' } }
const up = () => 'UP'
const hang = () => new Promise<never>(() => {})

function open({ indicators, ...options }: AggregatorOptions = {}) {
  const checks: CompletedCheck[] = []
  const report = vi.fn()
  const health = createAggregator(
    { indicators: { ...states, ...indicators }, ...options },
    { clock, report, onCheck: (check) => void checks.push(check) },
  )
  return { health, report, checks }
}

describe('a cached result', () => {
  it('is returned synchronously, and is the same object while nothing has changed', async () => {
    let state = 'UP'
    const { health } = open({
      indicators: { db: { indicators: { primary: up } }, breaker: { state: () => state } },
      groups: { mine: { include: ['db', 'breaker'] } },
    })
    const now = clock.monotonicTime()
    const first = health.whole.report(now)
    expect(first).toBeInstanceOf(Promise)
    const known = await first
    const subjects = [health.whole, health.groups.get('mine')]
    await health.groups.get('mine')?.report(now)
    for (const scope of subjects) {
      const report = scope?.report(now)
      expect(report).not.toBeInstanceOf(Promise)
      expect(scope?.report(now + 999)).toBe(report)
    }
    expect(health.whole.report(now)).toBe(known)
    expect(health.find(['mine', 'db', 'primary'])?.report(now)).toEqual({ status: 'UP' })
    state = 'DOWN'
    expect(health.whole.report(now)).toMatchObject({ status: 'DOWN', components: { breaker: { status: 'DOWN' } } })
    expect(health.whole.report(now + 1_000)).toBeInstanceOf(Promise)
  })

  it('is returned as a copy', async () => {
    const { health } = open({ indicators: { db: () => ({ status: 'UP', details: { a: 1 } }) } })
    const report = await health.check()
    Object.assign(report?.components?.['db']?.details ?? {}, { a: 2 })
    expect(await health.check('db')).toEqual({ status: 'UP', details: { a: 1 } })
  })
})

describe('runChecks', () => {
  it('runs each check once, also if its result is cached or comes from the background', async () => {
    const calls: string[] = []
    const check = (name: string) => () => {
      calls.push(name)
      return 'UP'
    }
    const { health } = open({
      indicators: {
        cached: { check: check('cached'), cache: '1h' },
        background: { check: check('background'), refresh: '1h' },
        db: { indicators: { primary: { check: check('primary'), cache: '1h' } } },
      },
    })
    await pass(0)
    await health.check()
    calls.length = 0
    await health.runChecks()
    expect(calls.sort()).toEqual(['background', 'cached', 'primary'])
    health.close()
  })
})

describe('latestRunOf', () => {
  it('returns when a check completed, and how long it took', async () => {
    const { health } = open({ indicators: { db: { indicators: { primary: async () => pass(12).then(up) } } } })
    expect(health.latestRunOf('db/primary')).toBeUndefined()
    await health.check()
    const endedAt = clock.monotonicTime()
    await pass(4_000)
    expect(health.latestRunOf('db/primary')).toEqual({ endedAt, seconds: 0.012 })
    expect(health.latestRunOf('livenessState')).toBeUndefined()
  })
})

describe('a path', () => {
  const { health } = open({
    indicators: { db: { indicators: { primary: up, replica: up } }, app: up },
    groups: { app: { include: ['db/primary'] } },
  })

  it.each([
    [['app'], 'app', false],
    [['readiness'], 'readiness', false],
    [['app', 'db', 'primary'], 'app', true],
    [['db'], undefined, true],
    [['db', 'primary'], undefined, true],
    [['livenessState'], undefined, true],
  ])('%j is resolved, in a group first', (path, group, isComponent) => {
    expect(health.find(path)).toMatchObject({ group, isComponent })
  })

  it.each([[[]], [['x']], [['app', 'app']], [['app', 'db', 'replica']], [['constructor']], [['readiness', 'db']]])(
    '%j leads nowhere',
    async (path) => {
      expect(health.find(path)).toBeUndefined()
      expect(await health.check(path.join('/'))).toBeUndefined()
    },
  )
})

describe('a check', () => {
  it('is passed to onCheck with its path, its own status and its duration, tolerated or not', async () => {
    const slow = deferred<string>()
    const replies = ['UP', 'DOWN']
    const { health, checks } = open({
      indicators: {
        db: { indicators: { primary: () => slow.promise } },
        cache: { check: () => replies.shift() ?? 'UP', cache: '0ms', tolerate: { failures: 1 } },
      },
    })
    const pending = health.check()
    await pass(250)
    slow.resolve('DEGRADED')
    await pending
    expect(await health.check('cache')).toMatchObject({ status: 'UP' })
    expect(checks).toEqual([
      { component: 'cache', status: 'UP', seconds: 0 },
      { component: 'db/primary', status: 'DEGRADED', seconds: 0.25 },
      { component: 'cache', status: 'DOWN', seconds: 0 },
    ])
  })

  it('is passed to onCheck once for concurrent requests, and not for cached or delayed results', async () => {
    const { health, checks } = open({ indicators: { db: hang } })
    const pending = [health.check(), health.check('db'), health.check('readiness')]
    await pass(5_000)
    await Promise.all(pending)
    await health.check()
    await pass(1_000)
    expect(await health.check('db')).toMatchObject({
      details: { error: 'TimeoutError: the previous check has not completed' },
    })
    expect(checks).toEqual([{ component: 'db', status: 'DOWN', seconds: 5 }])
  })

  it('is reported once if it is slow', async () => {
    const replies: Deferred<string>[] = []
    const check: HealthCheck = () => {
      const answer = deferred<string>()
      replies.push(answer)
      return answer.promise
    }
    const { health, report } = open({ indicators: { db: { check, cache: '0ms' } }, slowCheck: '200ms' })
    for (const milliseconds of [300, 300, 100, 250]) {
      const pending = health.check('db')
      await pass(milliseconds)
      replies.at(-1)?.resolve('UP')
      await pending
    }
    expect(report.mock.calls.map(([message]) => message)).toEqual([
      'health: db is slow: the check took 300 ms and returned UP',
      'health: db is slow: the check took 250 ms and returned UP',
    ])
  })

  it('affects only its own component if it hangs, throws, rejects late or returns an invalid value', async () => {
    const late = deferred<string>()
    const { health } = open({
      indicators: {
        good: up,
        hang,
        throws: () => {
          throw new Error('no')
        },
        late: () => late.promise,
        rubbish: (() => 42) as never,
        nested: { indicators: { good: up, hang } },
      },
    })
    const pending = health.check()
    await pass(5_000)
    late.reject(new Error('too late'))
    await pass(0)
    const statuses = Object.entries((await pending)?.components ?? {}).map(([name, { status }]) => `${name} ${status}`)
    expect(statuses).toEqual([
      'good UP',
      'hang DOWN',
      'late DOWN',
      'livenessState UP',
      'nested DOWN',
      'readinessState UP',
      'rubbish DOWN',
      'throws DOWN',
    ])
    expect((await pending)?.components?.['nested']?.components?.['good']).toEqual({ status: 'UP' })
  })
})

describe('concurrency', () => {
  it('limits the checks that run at once, across composites and groups', async () => {
    let [running, most] = [0, 0]
    const replies: Deferred<string>[] = []
    const check: HealthCheck = async () => {
      running += 1
      most = Math.max(most, running)
      const answer = deferred<string>()
      replies.push(answer)
      await answer.promise
      running -= 1
      return 'UP'
    }
    const { health } = open({
      indicators: { a: check, b: check, c: { indicators: { d: check, e: { check, refresh: '1m' } } } },
      groups: { mine: { include: ['a', 'c'] } },
      concurrency: 2,
    })
    const pending = [health.check(), health.check('mine')]
    for (let at = 0; at < 4; at++) {
      await pass(0)
      expect(running).toBe(Math.min(2, 4 - at))
      replies[at]?.resolve('UP')
    }
    expect((await Promise.all(pending)).map((report) => report?.status)).toEqual(['UP', 'UP'])
    expect([most, replies.length]).toEqual([2, 4])
  })

  it('is not exhausted by a check that hangs', async () => {
    const { health } = open({ indicators: { a: hang, b: hang, c: up, d: up }, concurrency: 1 })
    const pending = ['c', 'd'].map((name) => health.check(name))
    const whole = health.check()
    await pass(2_000)
    expect(await Promise.all(pending)).toEqual([{ status: 'UP' }, { status: 'UP' }])
    await pass(4_000)
    expect((await whole)?.components).toMatchObject({
      a: { status: 'DOWN' },
      b: { status: 'DOWN' },
      c: { status: 'UP' },
      d: { status: 'UP' },
    })
  })

  it('includes the time in the queue in the timeout', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const { health, checks } = open({
      indicators: Object.fromEntries(names.map((name) => [name, hang])),
      concurrency: 1,
    })
    const pending = health.check()
    await pass(5_000)
    const errors = names.map(async (name) => (await pending)?.components?.[name]?.details?.['error'])
    expect(await Promise.all(errors)).toEqual([
      ...Array.from({ length: 5 }, () => 'TimeoutError: no response within 5000 ms'),
      ...Array.from({ length: 2 }, () => 'TimeoutError: not started, because of the concurrency limit, within 5000 ms'),
    ])
    expect(checks).toHaveLength(5)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not apply to states', async () => {
    const { health } = open({ indicators: { a: hang, b: { state: up } }, concurrency: 1 })
    void health.check('a')
    expect(await health.check('liveness')).toMatchObject({ status: 'UP' })
    expect(await health.check('b')).toEqual({ status: 'UP' })
    health.close()
  })
})

describe('close', () => {
  it('stops all timers, cancels running and queued checks, and still allows requests', async () => {
    const { health } = open({
      indicators: { a: hang, b: hang, c: { check: up, refresh: '10s' }, d: { check: hang, refresh: '10s' } },
      concurrency: 1,
    })
    await pass(0)
    const pending = health.check()
    health.close()
    expect(vi.getTimerCount()).toBe(0)
    const closed = { status: 'DOWN', details: { error: 'AbortError: the management is closed' } }
    expect((await pending)?.components).toMatchObject({ a: closed, b: closed, d: closed })
    await pass(60_000)
    expect(vi.getTimerCount()).toBe(0)
    expect(await health.check('c')).toEqual({ status: 'UP' })
  })
})
