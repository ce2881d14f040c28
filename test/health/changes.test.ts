import type { HealthChange } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { type Aggregator, type AggregatorOptions, createAggregator } from '../../src/health/aggregator.ts'
import { useFakeTime } from '../support/fake-time.ts'

const clock = useFakeTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const states = { livenessState: { state: () => 'UP' }, readinessState: { state: () => 'UP' } }

function open({ indicators, ...options }: AggregatorOptions = {}) {
  const report = vi.fn()
  const health = createAggregator({ indicators: { ...states, ...indicators }, ...options }, { clock, report })
  return { health, report, changes: listenTo(health) }
}

function listenTo(health: Aggregator) {
  const reported: string[] = []
  const end = health.onChange((change) => void reported.push(describeChange(change)))
  return { end, take: () => reported.splice(0) }
}

function describeChange(change: HealthChange): string {
  const { kind, from, to } = change
  const name = kind === 'component' ? change.component : kind === 'group' ? change.group : ''
  return `${kind} ${name}: ${from} -> ${to}`
}

describe('onChange', () => {
  it('notifies of the first status of a component and of each change, parts before the whole', async () => {
    const statuses = ['UP', 'UP', 'DOWN', 'UP']
    const { health, changes } = open({
      indicators: { db: { indicators: { primary: () => statuses.shift() ?? 'UP' } } },
      groups: { mine: { include: ['db'] } },
    })
    const reported: (readonly string[])[] = []
    for (let times = 0; times < 4; times++) {
      await health.check()
      reported.push(changes.take())
      await pass(1_000)
    }
    const all = (from: string, to: string) => [
      `component db/primary: ${from} -> ${to}`,
      `component db: ${from} -> ${to}`,
      `group mine: ${from} -> ${to}`,
      `whole : ${from} -> ${to}`,
    ]
    expect(reported).toEqual([all('UNKNOWN', 'UP'), [], all('UP', 'DOWN'), all('DOWN', 'UP')])
  })

  it('does not notify of the whole or a composite before all of its parts have been checked', async () => {
    const { health, changes } = open({
      indicators: { db: { indicators: { primary: () => 'DOWN', replica: () => 'UP' } }, cache: () => 'UP' },
      groups: { mine: { include: ['db/primary'] } },
    })
    await health.check('mine')
    expect(changes.take()).toEqual(['component db/primary: UNKNOWN -> DOWN', 'group mine: UNKNOWN -> DOWN'])
    await health.check('db')
    expect(changes.take()).toEqual(['component db/replica: UNKNOWN -> UP', 'component db: UNKNOWN -> DOWN'])
    await health.check('cache')
    expect(changes.take()).toEqual(['component cache: UNKNOWN -> UP', 'whole : UNKNOWN -> DOWN'])
  })

  it('notifies of results in the background without a request', async () => {
    const statuses = ['UP', 'DOWN']
    const { changes } = open({ indicators: { db: { check: () => statuses.shift() ?? 'UP', refresh: '10s' } } })
    await pass(0)
    expect(changes.take()).toEqual(['component db: UNKNOWN -> UP', 'whole : UNKNOWN -> UP'])
    await pass(10_000)
    expect(changes.take()).toEqual(['component db: UP -> DOWN', 'whole : UP -> DOWN'])
  })

  it('notifies of states when changes are detected, by the order of each group', () => {
    let state = 'UP'
    const { health, changes } = open({
      indicators: { breaker: { state: () => state } },
      groups: { lenient: { include: ['breaker', 'livenessState'], order: ['UP', 'DOWN'] } },
    })
    state = 'DOWN'
    health.detectChanges()
    expect(changes.take()).toEqual(['component breaker: UP -> DOWN', 'whole : UP -> DOWN'])
    state = 'UP'
    void health.check()
    expect(changes.take()).toEqual(['component breaker: DOWN -> UP', 'whole : DOWN -> UP'])
  })

  it('does not notify of tolerated failures or another spelling of a status', async () => {
    const statuses = ['UP', 'DOWN', 'up', 'DOWN', 'DOWN']
    const check = () => statuses.shift() ?? 'UP'
    const { health, changes } = open({ indicators: { db: { check, cache: '0ms', tolerate: { failures: 1 } } } })
    await health.check()
    changes.take()
    for (let times = 0; times < 3; times++) await health.check()
    expect(changes.take()).toEqual([])
    await health.check()
    // The spelling of the last status.
    expect(changes.take()).toEqual(['component db: up -> DOWN', 'whole : UP -> DOWN'])
  })

  it('reports a listener that throws or rejects, and notifies the others', async () => {
    const { health, report, changes } = open({ indicators: { db: () => 'DOWN' } })
    const throwing = vi.fn(() => {
      throw new Error('no pager')
    })
    const rejecting = vi.fn(() => Promise.reject(new Error('no pager')) as never)
    health.onChange(throwing)
    health.onChange(rejecting)
    const late = listenTo(health)
    expect(await health.check('db')).toMatchObject({ status: 'DOWN' })
    expect([changes.take(), late.take()]).toEqual([
      ['component db: UNKNOWN -> DOWN', 'whole : UNKNOWN -> DOWN'],
      ['component db: UNKNOWN -> DOWN', 'whole : UNKNOWN -> DOWN'],
    ])
    expect([throwing.mock.calls.length, rejecting.mock.calls.length]).toEqual([2, 2])
    expect(report.mock.calls).toEqual(
      Array.from({ length: 4 }, () => ['health: a listener failed', new Error('no pager')]),
    )
  })

  it('notifies every listener in the order of the changes, also of one that a listener causes', () => {
    let [first, second] = ['UP', 'UP']
    const { health } = open({ indicators: { a: { state: () => first }, b: { state: () => second } } })
    health.onChange((change) => {
      if (change.kind === 'component' && change.component === 'a') {
        second = 'OUT_OF_SERVICE'
        health.detectChanges()
      }
    })
    const last = listenTo(health)
    first = 'DOWN'
    health.detectChanges()
    expect(last.take()).toEqual(['component a: UP -> DOWN', 'whole : UP -> DOWN', 'component b: UP -> OUT_OF_SERVICE'])
  })

  it('stops after unsubscribing; a listener that is registered twice is called twice', async () => {
    const { health, changes } = open({ indicators: { db: () => 'UP' } })
    const listener = vi.fn()
    const [end] = [health.onChange(listener), health.onChange(listener)]
    await health.check()
    expect(listener).toHaveBeenCalledTimes(4)
    end()
    end()
    changes.end()
    health.close()
    await pass(1_000)
    await health.check()
    expect([listener.mock.calls.length, changes.take().length]).toEqual([4, 2])
  })

  it('starts from the current statuses when a listener is registered', async () => {
    const statuses = ['DOWN', 'UP']
    const { health, changes } = open({ indicators: { db: () => statuses.shift() ?? 'UP' } })
    changes.end()
    await health.check()
    await pass(1_000)
    const later = listenTo(health)
    await health.check()
    expect(later.take()).toEqual(['component db: DOWN -> UP', 'whole : DOWN -> UP'])
  })
})
