import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { cellsOf } from './cells-of-meters.ts'
import { createManualClock } from './manual-clock.ts'
import { snapshotOf } from './reading-snapshots.ts'

function setUp() {
  const clock = createManualClock()
  const registry = createMeterRegistry({ clock })
  return { clock, registry, timer: registry.longTaskTimer('imports', { source: 'a' }, { slo: [10, 100] }) }
}

it('measures the tasks that are running', () => {
  const { clock, registry, timer } = setUp()
  const first = timer.start()
  clock.advance(50_000)
  const second = timer.start()
  clock.advance(5_000)
  expect(timer).toMatchObject({ activeTasks: 2, duration: 60, max: 55 })
  expect([first.duration, second.duration]).toEqual([55, 5])
  expect(snapshotOf(registry, 'longTaskTimer', 'imports')).toMatchObject({
    activeTasks: 2,
    duration: 60,
    max: 55,
    buckets: { bounds: [10, 100], counts: [1, 1, 0] },
    id: { baseUnit: 'seconds' },
  })
})

it('removes a task when it ends, once', () => {
  const { clock, timer } = setUp()
  const task = timer.start()
  clock.advance(2_000)
  expect(task.stop()).toBe(2)
  clock.advance(2_000)
  expect(task.stop()).toBe(2)
  expect(task.duration).toBe(2)
  expect(timer).toMatchObject({ activeTasks: 0, duration: 0, max: 0 })
})

it('counts work as running until it has ended, also when it fails', async () => {
  const { timer } = setUp()
  expect(timer.time(() => timer.activeTasks)).toBe(1)
  expect(timer.activeTasks).toBe(0)
  const failing = timer.time(async () => {
    await Promise.resolve()
    throw new RangeError('x')
  })
  expect(timer.activeTasks).toBe(1)
  await expect(failing).rejects.toThrow(RangeError)
  expect(timer.activeTasks).toBe(0)
})

it('has buckets only if configured', () => {
  const { registry } = setUp()
  registry.longTaskTimer('plain')
  expect(snapshotOf(registry, 'longTaskTimer', 'plain').buckets).toBeUndefined()
  registry.longTaskTimer('fine', {}, { percentileHistogram: true })
  const bounds = snapshotOf(registry, 'longTaskTimer', 'fine').buckets?.bounds
  expect([bounds?.[0], bounds?.at(-1)]).toEqual([120, 7_200])
})

it('is copied to cells, of which any may have changed', () => {
  const { clock, registry, timer } = setUp()
  const { copy } = cellsOf(registry, 'imports', 6)
  const first = timer.start()
  expect([copy(), copy()]).toEqual([
    [true, [-1, 0, 0, 1, 1, 0, 0, -1]],
    [false, [-1, 0, 0, 1, 1, 0, 0, -1]],
  ])
  clock.advance(20_000)
  expect(copy()).toEqual([true, [-1, 20, 20, 1, 0, 1, 0, -1]])
  timer.start()
  expect(copy()).toEqual([true, [-1, 20, 20, 2, 1, 1, 0, -1]])
  first.stop()
  expect(copy()).toEqual([true, [-1, 0, 0, 1, 1, 0, 0, -1]])
})
