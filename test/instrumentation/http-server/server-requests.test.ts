import { createServer } from 'node:http'
import { defaultResource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Clock } from 'upkeep'
import { createManagement } from 'upkeep'
import { observe } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { createNativeTracing } from '../../../src/tracing/create-tracing.ts'
import { installTracing } from '../../../src/tracing/current-tracing.ts'
import { listenOn } from '../../support/listen.ts'
import { createRawClient, type RawRequest } from '../../support/raw-client.ts'

/** A clock that has gone on by so many milliseconds at each reading. */
function steppingClock(step: number): Clock {
  let now = 0
  return {
    monotonicTime: () => {
      now += step
      return now
    },
    wallTime: () => 1_700_000_000_000,
  }
}

const ended: ReadableSpan[] = []
let uninstall = () => {}
afterEach(() => {
  uninstall()
  ended.length = 0
})

async function send({
  managementClock = steppingClock(100),
  tracingClock = managementClock,
  headers = {},
}: {
  managementClock?: Clock
  tracingClock?: Clock
  headers?: NonNullable<RawRequest['headers']>
}) {
  uninstall = installTracing(
    createNativeTracing({
      clock: tracingClock,
      recorder: { processor: { onEnd: (span: never) => void ended.push(span) }, resource: defaultResource() },
    }),
  )
  const management = createManagement({ clock: managementClock, metrics: { runtime: false } })
  const observed = observe(management, { route: () => '/a' })
  const port = await listenOn(createServer((req, res) => observed(req, res, () => void res.end())))
  await createRawClient(port)({ target: '/a?secret=1', headers })
  await expect.poll(() => ended.length).toBe(1)
  const timer = management.meters.timer('http.server.requests', {
    ...{ uri: '/a', method: 'GET', status: '200', outcome: 'SUCCESS', exception: 'none', error: 'none' },
  })
  return { span: ended[0] as ReadableSpan, seconds: timer.total }
}

describe('the span and the timer of a request', () => {
  it('use the same two readings of a shared clock', async () => {
    const { span, seconds } = await send({})
    expect(span.duration).toEqual([0, Math.round(seconds * 1e9)])
    expect(seconds).toBeGreaterThan(0)
  })

  it('use their own clocks if those differ', async () => {
    const { span, seconds } = await send({ tracingClock: steppingClock(7) })
    expect(span.duration).toEqual([0, 7_000_000])
    expect(seconds).toBeGreaterThanOrEqual(0.1)
  })
})

describe('the span of a request', () => {
  it.each([
    ['::1 and its port', { Host: '[::1]:8080' }, { 'server.address': '[::1]', 'server.port': 8080 }],
    ['a host without a port', { Host: 'a.example' }, { 'server.address': 'a.example' }],
    ['an invalid port as part of the address', { Host: 'a.example:0' }, { 'server.address': 'a.example:0' }],
    ['the first of two agents', { 'User-Agent': ['one', 'two'] }, { 'user_agent.original': 'one' }],
    ['the path without its query', {}, { 'url.path': '/a', 'url.scheme': 'http', 'http.request.method': 'GET' }],
  ])('has %s', async (_, headers, wanted) => {
    const { span } = await send({ headers })
    expect(span.attributes).toMatchObject(wanted)
    expect(Object.keys(span.attributes)).not.toContain('http.request.method_original')
    expect(JSON.stringify(span.attributes)).not.toContain('secret')
  })
})
