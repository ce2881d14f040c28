import { createManagement, type ManagementOptions } from 'upkeep'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

function open(health: ManagementOptions['health']) {
  const report = vi.fn()
  const management = createManagement({ health, report, metrics: { runtime: false } })
  onTestFinished(() => management.close())
  return { management, reports: () => report.mock.calls.map(([message]) => message) }
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5439'), { code: 'ECONNREFUSED' })

describe('a component that turns DOWN', () => {
  it('is reported with its reason, once, and again when it is UP', async () => {
    let isDown = true
    const check = async () => {
      if (isDown) throw refused
      return 'UP'
    }
    const { management, reports } = open({ indicators: { db: { check, cache: '0ms' }, mail: () => 'UP' } })
    for (let times = 0; times < 3; times++) await management.health.check()
    expect(reports()).toEqual(['health: db is DOWN: Error: connect ECONNREFUSED 127.0.0.1:5439'])
    isDown = false
    for (let times = 0; times < 3; times++) await management.health.check()
    expect(reports().slice(1)).toEqual(['health: db is UP again'])
  })

  it('is reported by its path, without its composite', async () => {
    const { management, reports } = open({
      indicators: { db: { indicators: { primary: () => 'DOWN', replica: () => 'UP' } } },
    })
    await management.health.check()
    expect(reports()).toEqual(['health: db/primary is DOWN'])
  })

  it('is reported at the next request if it is a state', async () => {
    let status = 'DOWN'
    const { management, reports } = open({ indicators: { breaker: { state: () => status } } })
    expect(reports()).toEqual([])
    await management.health.check()
    status = 'UP'
    await management.health.check()
    expect(reports()).toEqual(['health: breaker is DOWN', 'health: breaker is UP again'])
  })

  it('is reported for liveness, and not for readiness', async () => {
    const { management, reports } = open({})
    management.availability.refuseTraffic('maintenance')
    management.availability.markBroken(new Error('out of file descriptors'))
    expect(reports()).toEqual(['health: livenessState is DOWN: Error: out of file descriptors'])
  })

  it('is passed to listeners with the reason, for later changes only', async () => {
    let status = 'DOWN'
    const { management } = open({
      indicators: { db: { check: () => ({ status, details: { error: 'no' } }), cache: '0ms' } },
    })
    await management.health.check()
    const changes: unknown[] = []
    management.health.onChange((change) => void changes.push(change))
    expect(changes).toEqual([])
    status = 'OUT_OF_SERVICE'
    await management.health.check('db')
    expect(changes[0]).toEqual({
      kind: 'component',
      component: 'db',
      from: 'DOWN',
      to: 'OUT_OF_SERVICE',
      reason: 'no',
    })
  })
})

describe('a status that is not in the order', () => {
  it('is reported once per component', async () => {
    let status = 'ok'
    const { management, reports } = open({ indicators: { mail: { check: () => status, cache: '0ms' } } })
    await management.health.check()
    status = 'error'
    await management.health.check()
    expect(reports()).toEqual([
      'health: mail: unknown status "ok" is ignored; expected one of DOWN, OUT_OF_SERVICE, UP, ' +
        'UNKNOWN; others can be added to "health.order"',
    ])
  })

  it.each<ManagementOptions['health']>([
    { order: ['DOWN', 'DEGRADED', 'UP'] },
    { httpMapping: { degraded: 503 } },
    { groups: { slow: { order: ['DEGRADED'] } } },
  ])('is not reported if %j contains it', async (health) => {
    const { management, reports } = open({ ...health, indicators: { mail: () => 'DEGRADED' } })
    await management.health.check()
    expect(reports()).toEqual([])
  })
})

it('keeps the process alive while the application awaits its health, and no longer', async () => {
  const { management } = open({ indicators: { db: { check: () => new Promise(() => {}), timeout: '20ms' } } })
  const begun = vi.spyOn(globalThis, 'setInterval')
  const ended = vi.spyOn(globalThis, 'clearInterval')
  onTestFinished(() => void vi.restoreAllMocks())
  const checked = management.health.check()
  const [timer] = begun.mock.results
  expect(begun).toHaveBeenCalledTimes(1)
  expect(timer?.value.hasRef()).toBe(true)
  expect(ended).not.toHaveBeenCalled()
  expect((await checked).status).toBe('DOWN')
  expect(ended.mock.calls).toEqual([[timer?.value]])
})
