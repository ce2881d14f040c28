import { describe, expect, it } from 'vitest'
import { RequestLog } from '../../src/console/requests/request-log.ts'
import { endedRequest } from './ended-request.ts'

const budget = 512 * 1_024

function createLog() {
  return new RequestLog({ maximumBytes: budget, slowSeconds: 1, redactPath: (path) => path.replace('secret', '***') })
}

describe('RequestLog', () => {
  it('shows the latest request first, without its query and with a redacted path', () => {
    const log = createLog()
    log.record(endedRequest({ target: '/orders/1?token=canary', endedAt: 50 }))
    log.record(endedRequest({ target: '/keys/secret;jsessionid=canary', endedAt: 100, seconds: 0.02 }))
    const [latest, first] = log.read(1_000)
    expect(latest).toMatchObject({ path: '/keys/***', at: 1_080, seconds: 0.02, status: 200, isAborted: false })
    expect(first).toMatchObject({ path: '/orders/1', method: 'GET', route: '/orders/:id' })
    expect(JSON.stringify(log.read(0))).not.toContain('canary')
  })

  it('keeps failed and slow requests when others have been replaced', () => {
    const log = createLog()
    const keeps = [endedRequest({ status: 500 }), endedRequest({ seconds: 1 }), endedRequest({ isAborted: true })]
    expect(keeps.map((request) => log.record(request))).toEqual([true, true, true])
    for (let at = 0; at < 10_000; at++) expect(log.record(endedRequest())).toBe(false)
    const kept = log.read(0).flatMap(({ kept, status }) => (kept === undefined ? [] : [[kept, status]]))
    expect(kept).toEqual([
      ['failed', 0],
      ['slow', 200],
      ['failed', 500],
    ])
  })

  it('finds a request by its id, with the error that caused its response', () => {
    const log = createLog()
    const error = new TypeError('connect postgres://app:canary@db/orders')
    log.record(endedRequest({ status: 500, error, exception: 'TypeError' }))
    const [{ id } = { id: '' }] = log.read(0)
    const found = log.find(id, 0)
    expect(found).toMatchObject({ error: 'TypeError', kept: 'failed' })
    expect(found?.errorMessage).toContain('TypeError: connect')
    expect(found?.errorStack).toContain('request-log.test.ts')
    expect(JSON.stringify(found)).not.toContain('canary')
    expect(log.find('none', 0)).toBeUndefined()
  })

  it('does not keep what a client made long', () => {
    const log = createLog()
    log.record(endedRequest({ target: `/${'a'.repeat(10_000)}`, method: 'M'.repeat(10_000) }))
    expect(JSON.stringify(log.read(0)).length).toBeLessThan(500)
  })

  it('stays within its budget', () => {
    const log = createLog()
    for (let at = 0; at < 5_000; at++)
      log.record(endedRequest({ status: at % 2 === 0 ? 500 : 200, error: new Error('x') }))
    expect(log.bytes).toBeLessThanOrEqual(budget)
  })
})
