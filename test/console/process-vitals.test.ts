import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { measureProcess } from '../../src/console/vitals/process-vitals.ts'

/** Blocks the event loop. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('measureProcess', () => {
  const vitals = measureProcess(systemClock)
  afterEach(() => {
    vi.restoreAllMocks()
    vitals.close()
  })

  it('has a block that ends with the reading, before a timer could fire, and has it once', () => {
    vitals.read()
    block(400)
    expect(vitals.read().loopDelay).toBeGreaterThanOrEqual(0.3)
    expect(vitals.read().loopDelay).toBeLessThan(0.3)
  })

  it('wakes an idle event loop less often, and has all of a block of it', async () => {
    const intervals: unknown[] = []
    const original = setTimeout
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, milliseconds: number) => {
      intervals.push(milliseconds)
      return original(run, milliseconds)
    }) as typeof setTimeout)
    const idle = measureProcess(systemClock)
    await expect.poll(() => intervals).toContain(250)
    idle.read()
    block(400)
    expect(idle.read().loopDelay).toBeGreaterThanOrEqual(0.399)
    idle.close()
    expect(intervals[0]).toBe(100)
  })
})
