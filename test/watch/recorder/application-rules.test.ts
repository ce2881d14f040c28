import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EndedRequest, RequestSubscriber } from '../../../src/instrumentation/http-server/ended-request.ts'
import { startApplicationRules } from '../../../src/watch/recorder/application-rules.ts'
import type { RecorderOptions } from '../../../src/watch/recorder/recorder-options.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const ended: EndedRequest = {
  ...{ method: 'GET', template: '/orders/:id', status: 200, sentStatus: 200, isAborted: false, seconds: 0.01 },
  ...{ endedAt: 0, error: undefined, exception: 'none', trace: undefined, path: '/orders/7', target: '/orders/7' },
  ...{ scheme: 'http', authority: undefined, requestBytes: undefined, responseBytes: undefined },
  requestHeader: () => undefined,
  responseHeader: () => undefined,
}

/** The rules of a process whose watchdog runs, and what they send to it. */
function start(options: RecorderOptions) {
  const subscribers = new Set<RequestSubscriber>()
  const clock = createManualClock()
  const run = vi.fn(async (..._: unknown[]) => ({ id: undefined }))
  const end = startApplicationRules(
    { uncaughtException: false, ...options },
    {
      observation: {
        onRequestEnd(subscriber) {
          subscribers.add(subscriber)
          return () => void subscribers.delete(subscriber)
        },
      },
      diagnostics: { run: run as never, isWatched: true },
      ...{ clock, report: vi.fn() },
    },
  )
  onTestFinished(end)
  return {
    ...{ clock, subscribers, end },
    request: (changes: Partial<EndedRequest>) => {
      for (const subscriber of subscribers) subscriber({ ...ended, endedAt: clock.monotonicTime(), ...changes })
    },
    found: () => run.mock.calls.map(([, input]) => input),
  }
}

describe('the rule of slow requests', () => {
  const options = { slowRequest: '300ms', errorBurst: false } as const

  it('finds a request that takes as long as configured, or longer', () => {
    const { request, found, clock } = start(options)
    clock.advance(10_000)
    request({ seconds: 0.299 })
    expect(found()).toEqual([])
    request({ seconds: 0.3 })
    expect(found()).toMatchObject([
      {
        finding: {
          ...{ rule: 'slow-request', time: 9_700, reason: 'GET /orders/:id took 300ms' },
          details: { method: 'GET', template: '/orders/:id', milliseconds: 300, status: 200, isAborted: false },
        },
        evidence: { kind: 'profile' },
      },
    ])
  })

  it('leaves out streams of events', () => {
    const { request, found } = start(options)
    request({ seconds: 1, requestHeader: (name) => (name === 'accept' ? 'text/event-stream' : undefined) })
    request({ seconds: 1, responseHeader: (name) => (name === 'content-type' ? 'text/event-stream' : undefined) })
    expect(found()).toEqual([])
  })

  it('sends one finding per second', () => {
    const { request, found, clock } = start(options)
    request({ seconds: 1 })
    clock.advance(999)
    request({ seconds: 1 })
    expect(found()).toHaveLength(1)
    clock.advance(1)
    request({ seconds: 1 })
    expect(found()).toHaveLength(2)
  })
})

describe('the rule of errors', () => {
  const options = { slowRequest: false, errorBurst: { count: 3, within: '1m' } } as const
  const failed = { status: 500, error: new Error('canary'), seconds: 0.5 }

  it('finds so many failed requests within the duration', () => {
    const { request, found, clock } = start(options)
    request(failed)
    clock.advance(59_999)
    request(failed)
    request({ status: 404 })
    expect(found()).toEqual([])
    request(failed)
    expect(found()).toMatchObject([
      {
        finding: { rule: 'error-burst', reason: '3 requests failed within 1m' },
        evidence: { kind: 'report', document: { requests: { length: 3 } } },
      },
    ])
  })

  it('ignores errors that are rarer', () => {
    const { request, found, clock } = start(options)
    for (let time = 0; time < 10; time += 1) {
      request(failed)
      clock.advance(30_001)
    }
    expect(found()).toEqual([])
  })
})

it('rules observe nothing after they have ended', () => {
  const { end, subscribers } = start({})
  expect(subscribers.size).toBe(1)
  end()
  expect(subscribers.size).toBe(0)
})
