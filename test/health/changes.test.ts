import type { HealthChange } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { type Aggregator, type AggregatorOptions, createAggregator } from '../../src/health/aggregator.ts'
import { holdTime } from '../support/fake-time.ts'

const clock = holdTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const states = { livenessState: { state: () => 'UP' }, readinessState: { state: () => 'UP' } }

function open({ indicators, ...options }: AggregatorOptions = {}) {
  const report = vi.fn()
  const health = createAggregator({ indicators: { ...states, ...indicators }, ...options }, { clock, report })
  return { health, report, changes: listenTo(health) }
}

function listenTo(health: Aggregator) {
  const told: string[] = []
  const end = health.onChange((change) => void told.push(describeChange(change)))
  return { end, take: () => told.splice(0) }
}

function describeChange(change: HealthChange): string {
  const { kind, from, to } = change
  const name = kind === 'component' ? change.component : kind === 'group' ? change.group : ''
  return `${kind} ${name}: ${from} -> ${to}`
}

describe('onChange', () => {
  it('tells of a component when it is first asked, and then of each change, parts before the whole', async () => {
    const answers = ['UP', 'UP', 'DOWN', 'UP']
    const { health, changes } = open({
      indicators: { db: { indicators: { primary: () => answers.shift() ?? 'UP' } } },
      groups: { mine: { include: ['db'] } },
    })
    const told: (readonly string[])[] = []
    for (let times = 0; times < 4; times++) {
      await health.check()
      told.push(changes.take())
      await pass(1_000)
    }
    const all = (from: string, to: string) => [
      `component db/primary: ${from} -> ${to}`,
      `component db: ${from} -> ${to}`,
      `group mine: ${from} -> ${to}`,
      `whole : ${from} -> ${to}`,
    ]
    expect(told).toEqual([all('UNKNOWN', 'UP'), [], all('UP', 'DOWN'), all('DOWN', 'UP')])
  })

  it('tells nothing of the whole, nor of a composite, before all of its parts were asked', async () => {
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

  it('tells of what is found in the background without anybody who asks', async () => {
    const answers = ['UP', 'DOWN']
    const { changes } = open({ indicators: { db: { check: () => answers.shift() ?? 'UP', refresh: '10s' } } })
    await pass(0)
    expect(changes.take()).toEqual(['component db: UNKNOWN -> UP', 'whole : UNKNOWN -> UP'])
    await pass(10_000)
    expect(changes.take()).toEqual(['component db: UP -> DOWN', 'whole : UP -> DOWN'])
  })

  it('tells of a state when somebody looks, by the order of each group', () => {
    let state = 'UP'
    const { health, changes } = open({
      indicators: { breaker: { state: () => state } },
      groups: { lenient: { include: ['breaker', 'livenessState'], order: ['UP', 'DOWN'] } },
    })
    state = 'DOWN'
    health.look()
    expect(changes.take()).toEqual(['component breaker: UP -> DOWN', 'whole : UP -> DOWN'])
    state = 'UP'
    void health.check()
    expect(changes.take()).toEqual(['component breaker: DOWN -> UP', 'whole : DOWN -> UP'])
  })

  it('tells nothing of failures that are tolerated, nor of another spelling', async () => {
    const answers = ['UP', 'DOWN', 'up', 'DOWN', 'DOWN']
    const check = () => answers.shift() ?? 'UP'
    const { health, changes } = open({ indicators: { db: { check, cache: '0ms', tolerate: { failures: 1 } } } })
    await health.check()
    changes.take()
    for (let times = 0; times < 3; times++) await health.check()
    expect(changes.take()).toEqual([])
    await health.check()
    // In the words of what it was last.
    expect(changes.take()).toEqual(['component db: up -> DOWN', 'whole : UP -> DOWN'])
  })

  it('costs nothing when a listener throws or rejects: the others are told, and health is answered', async () => {
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
      Array.from({ length: 4 }, () => ['a listener to changes of health failed', new Error('no pager')]),
    )
  })

  it('tells every listener in the order of the changes, also of one that a listener brings about', () => {
    let [first, second] = ['UP', 'UP']
    const { health } = open({ indicators: { a: { state: () => first }, b: { state: () => second } } })
    health.onChange((change) => {
      if (change.kind === 'component' && change.component === 'a') {
        second = 'OUT_OF_SERVICE'
        health.look()
      }
    })
    const last = listenTo(health)
    first = 'DOWN'
    health.look()
    expect(last.take()).toEqual(['component a: UP -> DOWN', 'whole : UP -> DOWN', 'component b: UP -> OUT_OF_SERVICE'])
  })

  it('tells no more once it is ended; one that is added twice is told twice', async () => {
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

  it('begins with what is known when somebody begins to listen', async () => {
    const answers = ['DOWN', 'UP']
    const { health, changes } = open({ indicators: { db: () => answers.shift() ?? 'UP' } })
    changes.end()
    await health.check()
    await pass(1_000)
    const later = listenTo(health)
    await health.check()
    expect(later.take()).toEqual(['component db: DOWN -> UP', 'whole : DOWN -> UP'])
  })
})
