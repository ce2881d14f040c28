import { createManagement, type Management, type ManagementOptions } from 'upkeep'
import { createCaches } from 'upkeep/instrumentation'
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
