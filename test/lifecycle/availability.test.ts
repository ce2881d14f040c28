import type { AvailabilityChange } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { createAvailability } from '../../src/lifecycle/availability.ts'

interface Deferred {
  readonly promise: Promise<void>
  resolve(): Promise<void>
  reject(error: unknown): Promise<void>
}

/** A promise settled from outside; answers once those who wait for it have heard. */
function defer(): Deferred {
  let settle: { resolve: () => void; reject: (error: unknown) => void } | undefined
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    promise,
    resolve() {
      settle?.resolve()
      return nextTurn()
    },
    reject(error) {
      settle?.reject(error)
      return nextTurn()
    },
  }
}

function create() {
  const reports: unknown[][] = []
  const changes: AvailabilityChange[] = []
  const { availability, livenessState, readinessState } = createAvailability(
    (...reported) => void reports.push(reported),
  )
  const forget = availability.onChange((change) => changes.push(change))
  const ready = () => readinessState.state()
  const alive = () => livenessState.state()
  return { availability, ready, alive, reports, changes, forget }
}

const refusing = { kind: 'readiness', state: 'REFUSING_TRAFFIC' } as const
const accepting = { kind: 'readiness', state: 'ACCEPTING_TRAFFIC' } as const
const outOfService = (details: object) => ({ status: 'OUT_OF_SERVICE', details })

describe('availability', () => {
  it('is correct and accepts traffic initially', () => {
    const { availability, ready, alive, changes } = create()
    expect([availability.liveness, availability.readiness]).toEqual(['CORRECT', 'ACCEPTING_TRAFFIC'])
    expect([alive(), ready()]).toEqual([{ status: 'UP' }, { status: 'UP' }])
    expect(changes).toEqual([])
  })

  it('refuses and accepts traffic on request, with the reason, and stays alive', () => {
    const { availability, ready, alive } = create()
    availability.refuseTraffic('stocktaking')
    expect(availability.readiness).toBe('REFUSING_TRAFFIC')
    expect(ready()).toEqual(outOfService({ reason: 'stocktaking' }))
    expect(alive()).toEqual({ status: 'UP' })
    availability.refuseTraffic()
    expect(ready()).toEqual({ status: 'OUT_OF_SERVICE' })
    availability.acceptTraffic()
    expect(ready()).toEqual({ status: 'UP' })
  })

  it('is broken permanently, with the error without credentials, and does not change readiness', () => {
    const { availability, ready, alive } = create()
    availability.markBroken(new Error('cannot reach postgres://app:hunter2@db/orders'))
    availability.acceptTraffic()
    expect(availability.liveness).toBe('BROKEN')
    expect(alive()).toMatchObject({ status: 'DOWN', details: { error: expect.stringContaining('cannot reach') } })
    expect(JSON.stringify(alive())).not.toContain('hunter2')
    expect(ready()).toEqual({ status: 'UP' })
  })

  it.each([
    [undefined, { status: 'DOWN' }],
    [new Error('out of handles'), { status: 'DOWN', details: { error: 'Error: out of handles' } }],
    ['stuck', { status: 'DOWN', details: { error: 'stuck' } }],
  ])('is broken because of %s', (error, health) => {
    const { availability, alive } = create()
    availability.markBroken(error)
    expect(alive()).toEqual(health)
  })

  it('belongs to one application; two are independent', () => {
    const [one, other] = [create(), create()]
    one.availability.refuseTraffic()
    expect(other.availability.readiness).toBe('ACCEPTING_TRAFFIC')
  })
})

describe('a start-up task', () => {
  it('keeps the application out of service until it completes, without changing liveness', async () => {
    const { availability, ready, alive } = create()
    const migrations = defer()
    availability.addStartupTask(migrations.promise, 'migrations')
    expect(ready()).toEqual(outOfService({ reason: 'waiting for migrations' }))
    expect(alive()).toEqual({ status: 'UP' })
    await migrations.resolve()
    expect(ready()).toEqual({ status: 'UP' })
  })

  it('is one of several, which all have to complete, in any order', async () => {
    const { availability, ready } = create()
    const [migrations, caches, more] = [defer(), defer(), defer()]
    availability.addStartupTask(migrations.promise, 'migrations')
    availability.addStartupTask(caches.promise, 'caches')
    availability.addStartupTask(more.promise, 'caches')
    expect(ready()).toEqual(outOfService({ reason: 'waiting for migrations, caches, caches' }))
    await caches.resolve()
    await migrations.resolve()
    expect(ready()).toEqual(outOfService({ reason: 'waiting for caches' }))
    await more.resolve()
    expect(ready()).toEqual({ status: 'UP' })
  })

  it('is not overridden by acceptTraffic()', async () => {
    const { availability, ready } = create()
    const migrations = defer()
    availability.addStartupTask(migrations.promise, 'migrations')
    availability.acceptTraffic()
    expect(ready()).toEqual(outOfService({ reason: 'waiting for migrations' }))
    await migrations.resolve()
    expect(ready()).toEqual({ status: 'UP' })
  })

  it('does not override refuseTraffic()', async () => {
    const { availability, ready } = create()
    const migrations = defer()
    availability.addStartupTask(migrations.promise, 'migrations')
    availability.refuseTraffic('stocktaking')
    await migrations.resolve()
    expect(ready()).toEqual(outOfService({ reason: 'stocktaking' }))
  })

  it('that rejects keeps the application out of service, with the reason, and is reported', async () => {
    const { availability, ready, reports } = create()
    const [migrations, caches] = [defer(), defer()]
    const error = new Error('no table')
    availability.addStartupTask(migrations.promise, 'migrations')
    availability.addStartupTask(caches.promise, 'caches')
    await migrations.reject(error)
    const failed = outOfService({ reason: 'start-up task migrations failed', error: 'Error: no table' })
    expect(ready()).toEqual(failed)
    await caches.resolve()
    availability.acceptTraffic()
    expect(ready()).toEqual(failed)
    expect(reports).toEqual([['start-up task migrations failed: the application does not accept traffic', error]])
  })

  it('that has failed can be repeated under the same name', async () => {
    const { availability, ready } = create()
    const [first, second] = [defer(), defer()]
    availability.addStartupTask(first.promise, 'migrations')
    await first.reject(new Error('no table'))
    availability.addStartupTask(second.promise, 'migrations')
    expect(ready()).toEqual(outOfService({ reason: 'waiting for migrations' }))
    await second.resolve()
    expect(ready()).toEqual({ status: 'UP' })
  })

  it('may be a thenable that throws', async () => {
    const { availability, ready } = create()
    const then = () => {
      throw new Error('no promise')
    }
    availability.addStartupTask({ then } as unknown as PromiseLike<void>, 'odd')
    await defer().resolve()
    expect(ready()).toMatchObject({ details: { error: 'Error: no promise' } })
  })
})

describe('beginShutdown', () => {
  it('is final: neither acceptTraffic() nor a task reverts it', async () => {
    const { availability, ready, alive } = create()
    const migrations = defer()
    availability.addStartupTask(migrations.promise, 'migrations')
    availability.beginShutdown('SIGTERM')
    availability.beginShutdown('something later')
    availability.acceptTraffic()
    await migrations.resolve()
    expect(ready()).toEqual(outOfService({ reason: 'SIGTERM' }))
    expect(alive()).toEqual({ status: 'UP' })
  })

  it('has the default reason "shutting down"', () => {
    const { availability, ready } = create()
    availability.beginShutdown()
    expect(ready()).toEqual(outOfService({ reason: 'shutting down' }))
  })
})

describe('a listener', () => {
  it('is called for each change, and only then', async () => {
    const { availability, changes } = create()
    const migrations = defer()
    availability.acceptTraffic()
    availability.addStartupTask(migrations.promise, 'migrations')
    availability.refuseTraffic('stocktaking')
    availability.acceptTraffic()
    expect(changes).toEqual([refusing])
    await migrations.resolve()
    expect(changes).toEqual([refusing, accepting])
    availability.markBroken()
    availability.markBroken()
    availability.beginShutdown()
    expect(changes.slice(2)).toEqual([{ kind: 'liveness', state: 'BROKEN' }, refusing])
  })

  it('reads the new state when it is called', () => {
    const { availability } = create()
    const seen: string[] = []
    availability.onChange(() => seen.push(availability.readiness))
    availability.refuseTraffic()
    expect(seen).toEqual(['REFUSING_TRAFFIC'])
  })

  it('is not called after unsubscribing; one that is registered twice is called twice', () => {
    const { availability } = create()
    const reported: string[] = []
    const listener = ({ state }: AvailabilityChange) => void reported.push(state)
    const forget = [availability.onChange(listener), availability.onChange(listener)]
    forget[0]?.()
    availability.refuseTraffic()
    expect(reported).toEqual(['REFUSING_TRAFFIC'])
    forget[1]?.()
    availability.acceptTraffic()
    expect(reported).toEqual(['REFUSING_TRAFFIC'])
  })

  it('that throws is reported, and does not affect the others', () => {
    const { availability, reports, changes } = create()
    const error = new Error('late')
    availability.onChange(() => {
      throw error
    })
    const reported: string[] = []
    availability.onChange(({ state }) => reported.push(state))
    availability.refuseTraffic()
    expect([changes.length, reported]).toEqual([1, ['REFUSING_TRAFFIC']])
    expect(reports).toEqual([['availability: a listener failed for readiness', error]])
  })
})
