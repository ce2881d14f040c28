import { HttpException, UnauthorizedException } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { HealthIndicatorService } from '@nestjs/terminus'
import { of } from 'rxjs'
import type { ManagementRequest } from 'upkeep/adapter'
import {
  authorizeByGuard,
  type Guard,
  Meters,
  meterToken,
  provideMeter,
  Timed,
  Upkeep,
  UpkeepModule,
} from 'upkeep/nest'
import { describe, expect, it } from 'vitest'
import {
  DiskIndicator,
  Invoice,
  moduleOf,
  OtherDiskIndicator,
  RequestGuard,
  RequestIndicator,
} from './application/parts.ts'

const quiet = { logger: false, abortOnError: false } as const
const create = (options: Parameters<typeof UpkeepModule.forRoot>[0], ...providers: readonly unknown[]) =>
  NestFactory.createApplicationContext(
    moduleOf([UpkeepModule.forRoot({ report: () => {}, ...options })], providers),
    quiet,
  )

describe('UpkeepModule', () => {
  it('provides the management and its meters in an application without HTTP', async () => {
    const created = provideMeter('orders.placed', (meters, name) => meters.counter(name))
    const context = await create({ application: { name: 'orders' } }, created, DiskIndicator)
    const upkeep = context.get(Upkeep)
    expect(upkeep.application).toEqual({ name: 'orders' })
    context.get(meterToken('orders.placed')).increment()
    expect(context.get(Meters).counter('orders.placed').value).toBe(1)
    expect((await upkeep.health.check()).components).toMatchObject({ disk: { status: 'UP' } })
    await context.close()
    expect(upkeep.draining.aborted).toBe(true)
  })

  it('rejects two indicators with one name, request-scoped ones, and invalid options', async () => {
    await expect(create({}, DiskIndicator, OtherDiskIndicator)).rejects.toThrow(
      '@Indicator("disk"): expected one class, received DiskIndicator and OtherDiskIndicator',
    )
    await expect(create({}, RequestIndicator)).rejects.toThrow(
      '@Indicator("request"): expected a singleton, received the request-scoped RequestIndicator',
    )
    await expect(create({ health: { indicators: { db: 5 as never } } })).rejects.toThrow(/health\.indicators\.db/)
    await expect(create({ health: { indicators: { db: Promise.resolve({}) } } })).rejects.toThrow(
      'UpkeepModule: health.indicators.db: expected a function, received a promise',
    )
    await expect(create({ basePath: 'x' })).rejects.toThrow(/basePath/)
  })

  it('rejects a second import, request-scoped dependencies, and a factory without options', async () => {
    const start = (...modules: readonly object[]) => NestFactory.createApplicationContext(moduleOf(modules), quiet)
    await expect(start(UpkeepModule.forRoot(), moduleOf([UpkeepModule.forRoot()]))).rejects.toThrow(
      'UpkeepModule: expected one import, received 2',
    )
    const dependent = UpkeepModule.forRootAsync({
      imports: [moduleOf([], [RequestGuard])],
      inject: [RequestGuard],
      useFactory: (guard: RequestGuard) => ({ authorize: authorizeByGuard(guard) }),
    })
    await expect(start(dependent)).rejects.toThrow(
      'UpkeepModule.forRootAsync: inject: expected singletons, received a request-scoped provider',
    )
    const failing = UpkeepModule.forRootAsync({ useFactory: () => Promise.reject(new Error('no secrets')) })
    await expect(start(failing)).rejects.toThrow('no secrets')
    const empty = UpkeepModule.forRootAsync({ useFactory: () => undefined as never })
    await expect(start(empty)).rejects.toThrow('UpkeepModule: expected options, received undefined')
    expect(process.listenerCount('SIGTERM')).toBe(0)
  })

  it('accepts each form of an indicator of @nestjs/terminus', async () => {
    const thrown = Object.assign(new Error('Dog check failed'), {
      isHealthCheckError: true,
      causes: { dog: { status: 'down', badboys: 1 } },
    })
    const context = await create({
      health: {
        indicators: {
          attempt: new HealthIndicatorService().check('attempt').attempt(() => ({ rows: 1 })),
          degraded: () => ({ cache: { status: 'degraded' as const, hitRate: 0.1 } }),
          several: async () => ({ one: { status: 'up' as const }, two: { status: 'down' as const } }),
          throwing: () => Promise.reject(thrown),
          failing: () => Promise.reject(new Error('no route')),
        },
      },
    })
    expect((await context.get(Upkeep).health.check()).components).toMatchObject({
      attempt: { status: 'UP', details: { rows: 1 } },
      degraded: { status: 'UP', details: { status: 'degraded', hitRate: 0.1 } },
      several: { status: 'DOWN', details: { one: { status: 'up' }, two: { status: 'down' } } },
      throwing: { status: 'DOWN', details: { badboys: 1 } },
      failing: { status: 'DOWN', details: { error: 'Error: no route' } },
    })
    await context.close()
  })
})

describe('decorated methods', () => {
  it('of objects that are no providers are recorded by the application created last', async () => {
    expect([...Invoice.load().lines()]).toEqual([1])
    const first = await create({})
    const second = await create({})
    expect([...Invoice.load().lines()]).toEqual([1])
    const countOf = (context: typeof first) => {
      const tags = { class: 'Invoice', method: 'lines', result: 'success', exception: 'none' }
      return context.get(Meters).counter('method.counted', tags).value
    }
    expect([countOf(first), countOf(second)]).toEqual([0, 1])
    await second.close()
    Invoice.load().lines().next()
    expect([...Invoice.load().lines()]).toEqual([1])
    expect(countOf(first)).toBe(1)
    await first.close()
  })

  it('require experimentalDecorators', () => {
    const decorate = Timed() as unknown as (method: unknown, context: object) => void
    expect(() => decorate(() => {}, { kind: 'method', name: 'find' })).toThrow(/experimentalDecorators/)
  })
})

describe('authorizeByGuard', () => {
  const request = { headers: {}, user: { sub: 7, roles: ['ops', 5] } } as unknown as ManagementRequest
  const authorize = (canActivate: Guard['canActivate']) => Promise.resolve(authorizeByGuard({ canActivate })(request))

  it('accepts what a guard may return, and reads the principal from request.user', async () => {
    const ada = { name: '7', roles: ['ops'] }
    expect(await authorize(() => true)).toEqual(ada)
    expect(await authorize(async () => true)).toEqual(ada)
    expect(await authorize(() => of(false, true))).toEqual(ada)
    expect(await authorize(() => of(true, false))).toBeUndefined()
    expect(await authorize(() => false)).toBeUndefined()
    // JavaScript, as Nest takes it.
    const returning = (value: unknown) => authorize(() => value as boolean)
    expect(await returning(Promise.resolve({ id: 7 }))).toEqual(ada)
    expect(await returning(Promise.resolve(of(false)))).toBeUndefined()
    expect(await returning(null)).toBeUndefined()
    expect(await returning(undefined)).toBeUndefined()
  })

  it('maps 401 and 403 to no principal, keeps other statuses, and fails with other errors', async () => {
    const failing = (error: Error) => authorize(() => Promise.reject(error))
    expect(await failing(new UnauthorizedException())).toBeUndefined()
    expect(await failing(new HttpException('no', 403))).toBeUndefined()
    await expect(failing(new HttpException('Slow down.', 429))).rejects.toMatchObject({
      status: 429,
      message: 'Slow down.',
    })
    await expect(failing(new Error('no key server'))).rejects.toThrow('no key server')
  })

  it('uses an own principal and challenge', async () => {
    const own = authorizeByGuard(
      { canActivate: () => true },
      { principal: () => ({ name: 'eve' }), challenge: 'Basic' },
    )
    expect([await own(request), own.challenge]).toEqual([{ name: 'eve' }, 'Basic'])
  })
})
