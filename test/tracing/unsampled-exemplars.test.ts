import { systemClock } from 'upkeep/adapter'
import { createTraceIds } from 'upkeep/ids'
import { expect, it } from 'vitest'
import { createTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'
import { NonRecordingSpan } from '../../src/tracing/spans/non-recording-span.ts'
import { createTraceExemplars } from '../../src/tracing/trace-exemplars.ts'

it('generates no ids for a trace that is not sampled', () => {
  let fills = 0
  const fill = (bytes: Uint8Array) => {
    fills += 1
    bytes.fill(7)
  }
  const tracing = createTracing({ probability: 1, random: { fill } })
  const uninstall = installTracing(tracing)
  const { take, close } = createTraceExemplars(systemClock)
  const outer = new NonRecordingSpan(undefined, false, createTraceIds({ random: { fill } }))
  tracing.run(outer, () => {
    expect(take(1)).toBeUndefined()
    tracing.run(tracing.startSpan('inner'), () => expect(take(1)).toBeUndefined())
    expect(fills).toBe(0)
  })
  tracing.run(tracing.startSpan('sampled', { parent: 'root' }), () => {
    expect(take(1)).toMatchObject({ value: 1, spanId: '0707070707070707' })
    expect(fills).toBeGreaterThan(0)
  })
  uninstall()
  close()
})
