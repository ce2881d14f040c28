import { hasSubscribers } from 'node:diagnostics_channel'
import { createManagement, type Management, type ManagementOptions } from 'upkeep'
import { observe as observeExpress } from 'upkeep/express'
import { observe as observeFastify } from 'upkeep/fastify'
import { observe as observeFetch } from 'upkeep/fetch'
import { observe as observeHono } from 'upkeep/hono'
import { createCaches } from 'upkeep/instrumentation'
import { observe as observeKoa } from 'upkeep/koa'
import { observe as observeNode } from 'upkeep/node'
import { expect, it, onTestFinished } from 'vitest'

const runtimeMeter = 'process.uptime'

function start(options: ManagementOptions = {}) {
  const management = createManagement(options)
  onTestFinished(() => management.close())
  return management
}

/** Runs the checks of a management, and returns how many of their timers there are after that. */
async function timedChecks(options: ManagementOptions, before: (management: Management) => unknown): Promise<number> {
  const management = start({ ...options, health: { indicators: { db: () => ({ status: 'UP' as const }) } } })
  before(management)
  await management.health.check()
  return [...management.meters.snapshot('health.check')].length
}

it('measuring begins when the meters are read, with the meters of the process and of the start', async () => {
  const management = start()
  await new Promise((resolve) => setImmediate(resolve))
  expect(management.meters.names()).toEqual(expect.arrayContaining([runtimeMeter, 'application.started.time']))
  expect(management.meters).toBe(management.meters)
  expect(management.measurements.names()).toContain(runtimeMeter)
})

it('checks of health are timed from then on', async () => {
  expect(await timedChecks({}, () => {})).toBe(0)
  expect(await timedChecks({}, ({ meters }) => meters)).toBe(1)
  expect(await timedChecks({}, ({ measurements }) => measurements)).toBe(1)
})

it.each<[string, ManagementOptions]>([
  ['metrics', { metrics: { commonTags: { region: 'eu' } } }],
  ['caches', { caches: createCaches() }],
  ['expose: prometheus', { expose: ['prometheus'] }],
  ['expose: metrics', { expose: ['metrics'] }],
])('measuring begins with createManagement if it has the option %s', async (_, options) => {
  expect(await timedChecks(options, () => {})).toBe(1)
})

it('what begins after the end of a management has ended', () => {
  const management = start()
  management.close()
  expect(management.meters.names()).toContain(runtimeMeter)
})

it('a management that cannot measure is closed', () => {
  const records = () => hasSubscribers('upkeep.database.operation')
  expect(records()).toBe(false)
  const measure = () => {
    throw new TypeError('no meters')
  }
  expect(() => createManagement({ caches: { list: () => [], measure } as never })).toThrow('no meters')
  expect(records()).toBe(false)
  const management = start()
  expect(records()).toBe(true)
  management.close()
  expect(records()).toBe(false)
})

it.each([
  ['node', observeNode],
  ['express', observeExpress],
  ['koa', observeKoa],
  ['fastify', observeFastify],
  ['hono', observeHono],
  ['fetch', observeFetch],
])('measuring begins with observe of upkeep/%s, before the first request', async (_, observe) => {
  expect(await timedChecks({}, observe)).toBe(1)
})
