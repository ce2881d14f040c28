import { channel, tracingChannel } from 'node:diagnostics_channel'
import { createManagement, type Management } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { afterAll, afterEach, expect, it } from 'vitest'
import { processTracing, switchTracingOn } from '../../support/process-tracing.ts'
import { requestCounts } from '../../support/request-counts.ts'
import { startHttp } from '../../support/start-http.ts'

const received: (string | string[] | undefined)[] = []
const server = startHttp((request, response) => {
  received.push(request.headers['traceparent'])
  response.end()
})
afterAll(async () => (await server).dispose())

let management: Management | undefined
afterEach(() => {
  management?.close()
  received.length = 0
})

const isHeard = (name: string) => channel(name).hasSubscribers

it('without tracing, requests and databases are timed', async () => {
  management = createManagement({ metrics: { runtime: false } })
  instrument(management)
  expect(processTracing()).toBeUndefined()
  expect(isHeard('tracing:mysql2:query:start')).toBe(true)
  await (await fetch((await server).url)).text()
  expect([...requestCounts(management.meters, 'http.client.requests').values()]).toEqual([1])
  expect(received).toEqual([undefined])
})

it('without tracing and timers, no client is subscribed to until tracing starts', async () => {
  const { addRequest } = process.getBuiltinModule('node:http').Agent.prototype as unknown as { addRequest: unknown }
  management = createManagement({ metrics: { runtime: false } })
  instrument(management, { undici: { timed: false }, http: { timed: false } })
  const names = ['undici:request:create', 'http.client.response.finish']
  expect(names.filter(isHeard)).toEqual([])
  expect(process.getBuiltinModule('node:http').Agent.prototype).toMatchObject({ addRequest })

  const switchOff = switchTracingOn()
  expect(names.filter(isHeard)).toEqual(names)
  await (await fetch((await server).url)).text()
  expect(received).toEqual([expect.stringMatching(/^00-/)])
  switchOff()
  expect(names.filter(isHeard)).toEqual([])
})

it('an untraced management only times, also if the process traces', async () => {
  const switchOff = switchTracingOn()
  management = createManagement({ metrics: { runtime: false }, tracing: false })
  instrument(management)
  await (await fetch((await server).url)).text()
  switchOff()
  expect(received).toEqual([undefined])
  expect([...requestCounts(management.meters, 'http.client.requests').values()]).toEqual([1])
  await tracingChannel('mysql2:query').tracePromise(async () => {}, { query: 'select 1' })
  expect(management.meters.names()).toContain('db.client.operation.duration')
})
