import type { Indicators, Status } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { createComponents } from '../../src/health/component.ts'
import { createWholeReporter } from '../../src/health/health-report.ts'
import { defaultOrder } from '../../src/health/status.ts'
import { checkRunnerWith } from '../support/check-runner.ts'
import { useFakeTime } from '../support/fake-time.ts'

const clock = useFakeTime()
const report = async (indicators: Indicators, order: readonly Status[] = defaultOrder) =>
  createWholeReporter(createComponents(indicators, checkRunnerWith(clock)), order)(clock.monotonicTime())

describe('createWholeReporter', () => {
  it('is UP without components', async () => {
    expect(await report({})).toEqual({ status: 'UP', components: {} })
  })

  it('contains all components by name', async () => {
    const whole = await report({
      db: { indicators: { replica: () => 'DOWN', primary: () => ({ status: 'UP', details: { a: 1 } }) } },
      app: { state: () => ({ status: 'UP', description: 'fine' }) },
    })
    expect(JSON.stringify(whole)).toBe(
      JSON.stringify({
        status: 'DOWN',
        components: {
          app: { status: 'UP', description: 'fine' },
          db: {
            status: 'DOWN',
            components: { primary: { status: 'UP', details: { a: 1 } }, replica: { status: 'DOWN' } },
          },
        },
      }),
    )
  })

  it('ignores statuses that are not in the order, in each whole separately', async () => {
    const indicators = { a: { indicators: { b: () => 'DEGRADED' } }, c: () => 'UP' }
    expect(await report(indicators)).toMatchObject({ status: 'UP', components: { a: { status: 'UNKNOWN' } } })
    expect(await report(indicators, ['DEGRADED', 'UP'])).toMatchObject({
      status: 'DEGRADED',
      components: { a: { status: 'DEGRADED' } },
    })
  })

  it('checks all components concurrently and once, and waits for the slowest', async () => {
    const hang = vi.fn(() => new Promise<never>(() => {}))
    const whole = report({ a: hang, b: { check: hang, timeout: '2s' }, c: () => 'UP' })
    expect(hang).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await whole).toEqual({
      status: 'DOWN',
      components: {
        a: { status: 'DOWN', details: { error: 'TimeoutError: no response within 5000 ms' } },
        b: { status: 'DOWN', details: { error: 'TimeoutError: no response within 2000 ms' } },
        c: { status: 'UP' },
      },
    })
  })

  it('supports components named like properties of every object', async () => {
    const { components } = await report(
      JSON.parse('{"__proto__":{},"constructor":{}}', (key, value) => (key === '' ? value : () => 'UP')),
    )
    expect(JSON.stringify(components)).toBe('{"__proto__":{"status":"UP"},"constructor":{"status":"UP"}}')
  })
})
