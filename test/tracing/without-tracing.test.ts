import { afterEach, describe, expect, it, vi } from 'vitest'
import { type OpenTelemetryContext, suppressTracingKey } from '../../src/tracing/open-telemetry.ts'
import { withoutTracing } from '../../src/tracing/without-tracing.ts'

const key = Symbol.for('opentelemetry.js.api.1')
const api = globalThis as { [key]?: object }
afterEach(() => {
  delete api[key]
})

/** Registers a context manager of the application, which calls this function. */
function register(enter: (context: OpenTelemetryContext, run: () => unknown) => unknown) {
  api[key] = { version: '1.9.1', context: { with: enter } }
}

describe('work without tracing', () => {
  it('runs in a context in which tracing is suppressed, for the instrumentations of an SDK', () => {
    const isSuppressed: unknown[] = []
    register((context, run) => {
      isSuppressed.push(context.getValue(suppressTracingKey))
      return run()
    })
    expect(withoutTracing(() => 17)).toBe(17)
    expect(isSuppressed).toEqual([true])
  })

  it('runs if the context manager fails before it', () => {
    const work = vi.fn(() => 17)
    register(() => {
      throw new Error('no context')
    })
    expect(withoutTracing(work)).toBe(17)
    expect(work).toHaveBeenCalledOnce()
  })

  it('runs once, and throws its own error', () => {
    register((_, run) => run())
    const work = vi.fn(() => {
      throw new TypeError('refused')
    })
    expect(() => withoutTracing(work)).toThrow(new TypeError('refused'))
    expect(work).toHaveBeenCalledOnce()
  })

  it('runs without a context manager', () => {
    expect(withoutTracing(() => 17)).toBe(17)
  })
})
