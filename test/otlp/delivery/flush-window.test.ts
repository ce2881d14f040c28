import { expect, it, vi } from 'vitest'
import { FlushWindow } from '../../../src/otlp/delivery/flush-window.ts'
import { createManualClock } from '../../support/manual-clock.ts'

function setUp() {
  const clock = createManualClock()
  return { clock, window: new FlushWindow(clock), now: clock.monotonicTime() }
}

it('a window is closed until it is opened, and again from its deadline', () => {
  const { clock, window, now } = setUp()
  expect(window.remaining).toBeLessThan(0)
  void window.open(now + 100)
  expect(window.remaining).toBe(100)
  clock.advance(101)
  expect(window.remaining).toBe(-1)
})

it('a window that is opened twice has the later of both deadlines', () => {
  const { window, now } = setUp()
  void window.open(now + 100)
  void window.open(now + 50)
  expect(window.remaining).toBe(100)
})

it('what waits for the next time goes on when it is opened, and whoever opened it before is told', async () => {
  const { window, now } = setUp()
  const suspended = vi.fn()
  void window.open(now + 100).then(suspended)
  await Promise.resolve()
  expect(suspended).not.toHaveBeenCalled()
  const next = window.next(new AbortController().signal)
  await Promise.resolve()
  expect(suspended).toHaveBeenCalled()
  const resumed = vi.fn()
  void next.then(resumed)
  await Promise.resolve()
  expect(resumed).not.toHaveBeenCalled()
  void window.open(now + 200)
  await expect(next).resolves.toBeUndefined()
})

it('what waits for the next time goes on if it is aborted, before or meanwhile', async () => {
  const { window } = setUp()
  await expect(window.next(AbortSignal.abort())).resolves.toBeUndefined()
  const controller = new AbortController()
  const next = window.next(controller.signal)
  controller.abort()
  await expect(next).resolves.toBeUndefined()
})
