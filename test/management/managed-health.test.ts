import type { HealthChange, ManagementOptions } from 'upkeep'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { useFakeTime } from '../support/fake-time.ts'
import { createManagementClient } from '../support/management-client.ts'
import { scrape } from '../support/scrape.ts'

const clock = useFakeTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

function open(options: ManagementOptions = {}) {
  const report = vi.fn()
  const managed = createManagementClient({ clock, report, metrics: { runtime: false }, ...options })
  onTestFinished(() => managed.management.close())
  return { ...managed, report }
}

describe('the timer health.check', () => {
  it('has each check by its component and status, and is exported', async () => {
    const statuses = ['UP', 'DOWN']
    const { management } = open({
      expose: ['health', 'prometheus'],
      health: {
        indicators: {
          db: { indicators: { primary: () => statuses.shift() ?? 'UP', replica: () => new Promise<never>(() => {}) } },
          breaker: { state: () => 'UP' },
        },
      },
    })
    for (let times = 0; times < 2; times++) {
      const pending = management.health.check()
      await pass(5_000)
      await pending
    }
    const timer = (component: string, status: string) => {
      const { count, total } = management.meters.timer('health.check', { component, status })
      return [count, total]
    }
    expect(timer('db/primary', 'UP')).toEqual([1, 0])
    expect(timer('db/primary', 'DOWN')).toEqual([1, 0])
    expect(timer('db/replica', 'DOWN')).toEqual([1, 5])
    expect([...management.meters.snapshot('health.check')]).toHaveLength(3)
    expect((await scrape(management)).text).toContain(
      'health_check_seconds_sum{component="db/replica",status="DOWN"} 5',
    )
  })

  it('does not affect health if recording fails', async () => {
    const { management, report } = open({ health: { indicators: { db: { check: () => 'UP', cache: '0ms' } } } })
    management.meters.gauge('health.check', { component: 'db', status: 'UP' }, () => 1)
    for (let times = 0; times < 2; times++) expect(await management.health.check('db')).toEqual({ status: 'UP' })
    expect(report.mock.calls.map(([message]) => message)).toEqual(['failed to record health.check'])
  })
})

describe('a slow check', () => {
  it('is reported once, by default from a second on', async () => {
    const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve('UP'), 1_000))
    const { send, report } = open({ health: { indicators: { db: slow } } })
    for (let times = 0; times < 3; times++) {
      const pending = send('/management/health')
      await pass(1_000)
      expect((await pending).status).toBe(200)
      await pass(1_000)
    }
    expect(report.mock.calls).toEqual([['health: db is slow: the check took 1000 ms and returned UP']])
  })
})

describe('management.health', () => {
  it('checks everything, a group or a component, with all details', async () => {
    const { management } = open({
      health: {
        indicators: { db: { indicators: { primary: () => ({ status: 'UP', details: { a: 1 } }) } } },
        groups: { mine: { include: ['db'] } },
      },
    })
    const db = { status: 'UP', components: { primary: { status: 'UP', details: { a: 1 } } } }
    expect(await management.health.check()).toEqual({
      status: 'UP',
      components: { db, livenessState: { status: 'UP' }, readinessState: { status: 'UP' } },
    })
    expect(await management.health.check('mine')).toEqual({ status: 'UP', components: { db } })
    expect(await management.health.check('db/primary')).toEqual({ status: 'UP', details: { a: 1 } })
    expect(await management.health.check('nothing')).toBeUndefined()
  })

  it('reports a change of availability and of its probe immediately', () => {
    const { management } = open()
    const changes: HealthChange[] = []
    const end = management.health.onChange((change) => void changes.push(change))
    management.availability.refuseTraffic('draining')
    const [from, to] = ['UP', 'OUT_OF_SERVICE']
    expect(changes.splice(0)).toEqual([
      { kind: 'component', component: 'readinessState', from, to },
      { kind: 'group', group: 'readiness', from, to },
      { kind: 'whole', from, to },
    ])
    end()
    management.availability.acceptTraffic()
    expect(changes).toEqual([])
  })

  it('reports changes of components that no endpoint exposes', async () => {
    const { management } = open({
      expose: ['info'],
      health: { indicators: { db: { check: () => 'DOWN', refresh: '5s' } } },
    })
    const listener = vi.fn()
    management.health.onChange(listener)
    await pass(0)
    expect(listener).toHaveBeenCalledWith({ kind: 'component', component: 'db', from: 'UNKNOWN', to: 'DOWN' })
  })
})

describe('a refreshed component', () => {
  it('does not run the check when probes are requested', async () => {
    const check = vi.fn(() => 'UP')
    const { send } = open({ health: { indicators: { db: { check, refresh: '10s' } }, showComponents: 'always' } })
    await pass(0)
    for (let times = 0; times < 50; times++) expect((await send('/management/health/db')).status).toBe(200)
    expect(check).toHaveBeenCalledTimes(1)
    await pass(10_000)
    expect(check).toHaveBeenCalledTimes(2)
  })
})

describe('close', () => {
  it('ends the timers of all checks', async () => {
    const hang = () => new Promise<never>(() => {})
    const { management } = open({
      health: {
        indicators: { db: { check: hang, refresh: '10s' }, app: { check: () => 'UP', refresh: '1s' }, hang },
        concurrency: 2,
      },
    })
    await pass(0)
    const pending = management.health.check()
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    management.close()
    expect(vi.getTimerCount()).toBe(0)
    expect((await pending).status).toBe('DOWN')
    await pass(60_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})
