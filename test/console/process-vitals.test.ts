import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { measureProcess } from '../../src/console/vitals/process-vitals.ts'

/** Blocks the event loop. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('measureProcess', () => {
  const vitals = measureProcess(systemClock)
  afterEach(() => vitals.close())

  it('has a block that ends with the reading, before a timer could fire, and has it once', () => {
    vitals.read()
    block(400)
    expect(vitals.read().loopDelay).toBeGreaterThanOrEqual(0.3)
    expect(vitals.read().loopDelay).toBeLessThan(0.3)
  })
})
