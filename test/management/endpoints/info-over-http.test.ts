import { createManagement, type ManagementOptions } from 'upkeep'
import type { ManagementRequest, MessageHeaders } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'

async function send(options: ManagementOptions, target: string, headers: MessageHeaders = {}) {
  const management = createManagement({ expose: ['health', 'info', 'metrics'], ...options })
  const body: ManagementRequest['body'] = () => ({ kind: 'parsed', value: undefined })
  const request: ManagementRequest = { method: 'GET', target: `/management${target}`, headers, base: '', body }
  try {
    const responses = [await management(request), await management(request)]
    return responses.map((response) => ({ ...response, json: JSON.parse(String(response?.body)) }))
  } finally {
    management.close()
  }
}

describe('info', () => {
  it('has no validator and is not stored where it changes by itself', async () => {
    for (const { headers } of await send({ info: { process: true } }, '/info')) {
      expect(headers).toMatchObject({ 'Cache-Control': 'no-store' })
      expect(headers).not.toHaveProperty('ETag')
    }
    const [first, second] = await send({ info: { os: true, runtime: true } }, '/info')
    expect(first?.headers).toMatchObject({ 'Cache-Control': 'no-cache', ETag: expect.any(String) })
    expect(second?.headers?.['ETag']).toBe(first?.headers?.['ETag'])
  })

  it('has one start of the process', async () => {
    const clock = { now: 1_800_000_000_000, wallTime: () => clock.now++, monotonicTime: () => 0 }
    const [first, second] = await send({ info: { process: true }, clock }, '/info')
    expect(second?.json.process.startTime).toBe(first?.json.process.startTime)
    expect(second?.json.process.currentTime).not.toBe(first?.json.process.currentTime)
  })

  it('reports one version if only package.json has another', async () => {
    const [httpResponse] = await send({ application: { name: 'orders', version: '9.8.7' } }, '/info')
    expect([httpResponse?.json.application.version, httpResponse?.json.build.version]).toEqual(['9.8.7', '9.8.7'])
  })
})

describe('the media type v2 of Spring Boot Actuator', () => {
  const accept = 'application/vnd.spring-boot.actuator.v2+json'
  const health: ManagementOptions['health'] = {
    indicators: {
      db: () => ({ status: 'UP', details: { database: 'PostgreSQL' } }),
      all: { indicators: { one: () => 'UP' } },
    },
    showDetails: 'always',
  }

  it('applies to all endpoints; health has details instead of components', async () => {
    const [info] = await send({}, '/info', { accept })
    expect([info?.status, info?.headers?.['Content-Type']]).toEqual([200, accept])
    const [httpResponse] = await send({ health }, '/health', { accept })
    expect([httpResponse?.headers?.['Content-Type'], httpResponse?.json]).toEqual([
      accept,
      {
        status: 'UP',
        details: {
          all: { status: 'UP', details: { one: { status: 'UP' } } },
          db: { status: 'UP', details: { database: 'PostgreSQL' } },
          livenessState: { status: 'UP' },
          readinessState: { status: 'UP' },
        },
        groups: ['liveness', 'readiness'],
      },
    ])
  })

  it('is not the default for clients that accept any type', async () => {
    const [httpResponse] = await send({ health }, '/health', { accept: 'application/*' })
    expect(httpResponse?.headers?.['Content-Type']).toBe('application/json')
    expect(httpResponse?.json.components.db.details).toEqual({ database: 'PostgreSQL' })
  })
})

describe('the list of meters', () => {
  it('holds the names that a path can address', async () => {
    const management = createManagement({ expose: ['metrics'], metrics: { runtime: false } })
    const names = ['orders.placed', 'a/b', 'c\\d', '.', '..', 'e f', 'ü']
    for (const name of names) management.meters.counter(name).increment()
    const get = (path: string) =>
      management({
        method: 'GET',
        target: `/management/metrics${path}`,
        headers: {},
        base: '',
        body: () => ({ kind: 'parsed', value: undefined }),
      })
    const listed: readonly string[] = JSON.parse(String((await get(''))?.body)).names
    expect(listed.filter((name) => names.includes(name))).toEqual(['e f', 'orders.placed', 'ü'])
    for (const name of listed) expect((await get(`/${encodeURIComponent(name)}`))?.status).toBe(200)
    management.close()
  })
})
