import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRawClient } from '../../support/raw-client.ts'
import { type Recorded, type RunningApplication, startApplication } from './application.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const env = { TEST_SETTINGS: JSON.stringify({ logTraceIds: true }) }

/** What the application writes outside of a request, and without the option. */
const untraced = [
  '{"level":30,"part":"orders","id":7,"msg":"pino"}',
  '{"level":30,"part":"orders","trace_id":"own","msg":"pino"}',
  '{"level":30,"msg":"pino"}',
  '{"level":"info","message":"winston","part":"orders"}',
  'console { id: 7 }',
  '100%s',
  '',
]

describe.each(['esm', 'cjs', 'bundled cjs'] as const)('logs of an application, %s', (form) => {
  let running: RunningApplication
  let recorded: Recorded
  let inRequest: readonly string[]
  let spanId: string

  beforeAll(async () => {
    running = await startApplication('logs', { form, env })
    await createRawClient(running.port)({ target: '/', headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
    recorded = await running.recorded(({ counts }) => counts.length > 0)
    const lines = running.output().split('\n').slice(0, -1)
    expect(lines.slice(0, untraced.length)).toEqual(untraced)
    inRequest = lines.slice(untraced.length)
    spanId = recorded.spans[0]?.spanId ?? ''
  })
  afterAll(() => running?.end())

  it('have the ids of the trace of their request', () => {
    const ids = `"trace_id":"${traceId}","span_id":"${spanId}","trace_flags":"01"`
    const sorted = `"span_id":"${spanId}","trace_flags":"01","trace_id":"${traceId}"`
    const winston =
      form === 'bundled cjs' ? untraced[3] : `{"level":"info","message":"winston","part":"orders",${sorted}}`
    expect(inRequest).toEqual([
      `{"level":30,"part":"orders",${ids},"id":7,"msg":"pino"}`,
      untraced[1],
      `{"level":30,${ids},"msg":"pino"}`,
      winston,
      `console { id: 7 } trace_id=${traceId} span_id=${spanId}`,
      `100%s trace_id=${traceId} span_id=${spanId}`,
      '',
    ])
  })

  it('name the loggers that were found', () => {
    const unseen = form === 'bundled cjs' ? ['winston in a bundle'] : []
    expect(recorded).toMatchObject({ unseen, reports: [] })
    expect(recorded.found).toEqual(form === 'bundled cjs' ? ['pino'] : ['pino', 'winston'])
  })
})
