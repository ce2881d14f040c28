import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'
import { createTraceExemplars } from '../../src/tracing/trace-exemplars.ts'

const clock = { monotonicTime: () => 0, wallTime: () => 1_700_000_000_250 }
const uninstalls: (() => void)[] = []
const install = (tracing = createTracing()) => {
  const uninstall = installTracing(tracing)
  uninstalls.push(uninstall)
  return { tracing, uninstall }
}

function setUp() {
  const exemplars = createTraceExemplars(clock)
  onTestFinished(exemplars.close)
  return exemplars
}

afterEach(() => {
  for (const uninstall of uninstalls.splice(0)) uninstall()
})

describe('exemplars', () => {
  it('are on while the process is traced, until they are closed', () => {
    const exemplars = setUp()
    expect(exemplars.isOn).toBe(false)
    const { uninstall } = install()
    expect(exemplars.isOn).toBe(true)
    uninstall()
    expect(exemplars.isOn).toBe(false)
    install()
    expect(exemplars.isOn).toBe(true)
    exemplars.close()
    expect(exemplars.isOn).toBe(false)
  })

  it('have the ids of the active span, and the time in seconds', () => {
    const exemplars = setUp()
    const { tracing } = install()
    const span = tracing.startSpan('work')
    const { traceId, spanId } = span.context
    const exemplar = { value: 7, traceId, spanId, timestamp: 1_700_000_000.25 }
    expect(tracing.run(span, () => exemplars.take(7))).toEqual(exemplar)
    expect(exemplars.take(7)).toBeUndefined()
  })

  it('have the ids of a span that is set, in place of the active one, until it is reset', () => {
    const exemplars = setUp()
    const { tracing } = install()
    const [active, set] = [tracing.startSpan('active'), tracing.startSpan('set')]
    const taken = () => tracing.run(active, () => exemplars.take(1)?.spanId)
    exemplars.setSpan(set)
    expect([taken(), exemplars.take(1)?.spanId]).toEqual([set.context.spanId, set.context.spanId])
    exemplars.setSpan(undefined)
    expect([taken(), exemplars.take(1)]).toEqual([active.context.spanId, undefined])
  })

  it('are absent where the active span cannot be read', () => {
    const exemplars = setUp()
    const tracing = createTracing()
    tracing.activeSpan = () => expect.fail('no context')
    install(tracing)
    expect(exemplars.take(1)).toBeUndefined()
  })
})
