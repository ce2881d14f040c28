import { bearerToken, type Health, type HealthOptions } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'
import { requestWith } from '../../support/management-request.ts'

const shown = { format: 'terminus', showDetails: 'always' } as const
const fail = () => Promise.reject(new Error('connect ECONNREFUSED'))

function open(health: HealthOptions, options = {}) {
  const report = () => {}
  const { management, send } = createManagementClient({ metrics: { runtime: false }, health, report, ...options })
  const get = async (path: string, headers = {}) => {
    const { status, json } = await send(`/management/${path}`, requestWith(headers))
    return [status, json]
  }
  return { management, get }
}

describe('health in the format of @nestjs/terminus', () => {
  it('is ok, with all components in info and details', async () => {
    const db: Health = { status: 'UP', details: { version: '17.2' } }
    const { get } = open({ ...shown, indicators: { db: () => db, cache: () => 'UNKNOWN' } })
    const info = { cache: { status: 'up' }, db: { version: '17.2', status: 'up' } }
    expect(await get('health')).toEqual([200, { status: 'ok', info, error: {}, details: info }])
  })

  it('is an error with 503, with the failed components in error and their message', async () => {
    const { get } = open({
      ...shown,
      indicators: { db: fail, cache: () => ({ status: 'DOWN', description: 'full' }), app: () => 'UP' },
    })
    const error = {
      db: { message: 'connect ECONNREFUSED', status: 'down' },
      cache: { message: 'full', status: 'down' },
    }
    const info = { app: { status: 'up' } }
    expect(await get('health')).toEqual([503, { status: 'error', info, error, details: { ...info, ...error } }])
  })

  it.each<readonly [unknown, string]>([
    [new TypeError('no such column'), 'TypeError: no such column'],
    [Object.assign(new Error('refused'), { code: 'EACCES' }), 'refused (EACCES)'],
    [
      new Error('failed', { cause: new Error('postgres://app:hunter2@db/orders') }),
      'failed; cause: Error: postgres://***@db/orders',
    ],
    ['out of order', 'out of order'],
    [undefined, 'undefined'],
  ])('shows of %s its class, code and causes, and no credentials', async (thrown, message) => {
    const { get } = open({ ...shown, indicators: { db: () => Promise.reject(thrown) } })
    expect(await get('health')).toMatchObject([503, { error: { db: { message, status: 'down' } } }])
  })

  it('shows a check that hangs as down, with its timeout', async () => {
    const { get } = open({
      ...shown,
      indicators: { db: { check: () => new Promise<'UP'>(() => {}), timeout: '20ms' } },
    })
    const error = { db: { message: 'TimeoutError: no response within 20 ms', status: 'down' } }
    expect(await get('health')).toEqual([503, { status: 'error', info: {}, error, details: error }])
  })

  it('is degraded with 200 if a component has a status of its own', async () => {
    const { get } = open({ ...shown, indicators: { disk: () => 'SLOW' } })
    const info = { disk: { status: 'degraded' } }
    expect(await get('health')).toEqual([200, { status: 'degraded', info, error: {}, details: info }])
  })

  it('follows httpMapping', async () => {
    const { get } = open({
      ...shown,
      httpMapping: { DOWN: 200, SLOW: 429 },
      order: ['SLOW', 'DOWN'],
      indicators: { db: fail, disk: () => 'SLOW' },
    })
    expect(await get('health')).toMatchObject([
      429,
      { status: 'error', info: { db: { status: 'degraded' } }, error: { disk: { status: 'down' } } },
    ])
  })

  it('is shutting_down with 503 as soon as a shutdown begins, and an error while traffic is refused', async () => {
    const { management, get } = open({ ...shown, indicators: { db: () => 'UP' } })
    const error = (reason: string) => ({ readinessState: { reason, status: 'down' } })
    management.availability.refuseTraffic('full')
    expect(await get('health')).toMatchObject([503, { status: 'error', error: error('full') }])
    management.availability.beginShutdown('SIGTERM')
    expect(await get('health')).toMatchObject([503, { status: 'shutting_down', error: error('SIGTERM') }])
    expect(await get('health/liveness')).toEqual([200, { status: 'UP' }])
  })

  it('is not shutting_down without readinessState, nor while that is up', async () => {
    const groups = { db: { include: ['db'] }, states: { include: ['readinessState'] } }
    const { management, get } = open({ ...shown, groups, indicators: { db: () => 'UP' } })
    expect(await get('health/states')).toMatchObject([200, { status: 'ok' }])
    management.availability.beginShutdown('SIGTERM')
    expect(await get('health/db')).toMatchObject([200, { status: 'ok' }])
    expect(await get('health/states')).toMatchObject([503, { status: 'shutting_down' }])
  })

  it('shows the parts of a component by name', async () => {
    const { get } = open({ ...shown, indicators: { db: { indicators: { primary: () => 'UP', replica: fail } } } })
    expect(await get('health')).toMatchObject([
      503,
      { error: { db: { status: 'down', primary: { status: 'up' }, replica: { status: 'down' } } } },
    ])
  })

  it('shows components and details only to those who may see them', async () => {
    const options = { authorize: bearerToken('token') }
    const { get } = open(
      { format: 'terminus', showDetails: 'when-authorized', showComponents: 'always', indicators: { db: fail } },
      options,
    )
    const error = { db: { status: 'down' } }
    expect(await get('health')).toEqual([503, { status: 'error', info: {}, error, details: error }])
    expect(await get('health', { authorization: 'Bearer token' })).toMatchObject([
      503,
      { error: { db: { message: 'connect ECONNREFUSED' } } },
    ])
    expect(await open({ format: 'terminus', indicators: { db: fail } }).get('health')).toEqual([
      503,
      { status: 'error', info: {}, error: {}, details: {} },
    ])
  })

  it('is inherited by groups, which may have another one', async () => {
    const groups = { mine: { include: ['db'] }, spring: { include: ['db'], format: 'actuator' } } as const
    const { get } = open({ ...shown, groups, indicators: { db: () => 'UP' } })
    expect(await get('health/mine')).toMatchObject([200, { status: 'ok', info: { db: { status: 'up' } } }])
    expect(await get('health/spring')).toMatchObject([200, { status: 'UP', components: { db: { status: 'UP' } } }])
    expect(await get('health/db')).toEqual([200, { status: 'UP' }])
  })
})
