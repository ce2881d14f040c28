import { describe, expect, it, vi } from 'vitest'
import type { Authorize } from '../../src/http/authorize.ts'
import { createCorsExchange } from '../../src/http/cors-exchange.ts'
import { exchange } from '../../src/http/exchange.ts'
import type { Resource } from '../../src/http/resource.ts'
import { createRouter } from '../../src/http/router.ts'
import { requestWith } from '../support/management-request.ts'

const done = () => ({ status: 204, headers: {} })
const explicit: Authorize = Object.assign(() => undefined, {
  hasExplicitCredential: ({ headers }: { headers: object }) => 'x-password' in headers,
})

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly resource?: Resource
  readonly refuseCrossSite?: boolean
  readonly authorize?: Authorize
}

/** Sends a request that a page of another site caused, and returns the status and the document of an error. */
async function send(respondTo: typeof exchange, sent: Sent) {
  const { method = 'GET', headers = {}, resource = {}, refuseCrossSite = true, authorize } = sent
  const context = {
    router: createRouter([{ path: 'a', resource: { get: done, post: done, ...resource } }]),
    authorize,
    clock: { wallTime: () => 0, monotonicTime: () => 0 },
    report: vi.fn(),
    refuseCrossSite,
  }
  const request = { ...requestWith({ 'sec-fetch-site': 'cross-site', ...headers }), method }
  const { status, body } = await respondTo(request, '/a', context)
  return { status, detail: body === null ? undefined : JSON.parse(String(body)).detail }
}

describe('a request of a page of another site', () => {
  const refused = { status: 403, detail: 'Cross-site request refused.' }
  const accepted = { status: 204, detail: undefined }
  const costly = { refusesCrossSiteReads: true }

  it.each([
    ['that changes something is refused', { method: 'POST' }, refused],
    ['that reads something is accepted', {}, accepted],
    ['that reads what refuses it is refused', { resource: costly }, refused],
    ['that asks for the methods is accepted', { method: 'OPTIONS', resource: costly }, accepted],
    ['is accepted where it is not refused', { method: 'POST', resource: costly, refuseCrossSite: false }, accepted],
    [
      'with an explicit credential is accepted',
      { method: 'POST', headers: { 'x-password': 'a' }, authorize: explicit },
      accepted,
    ],
    ['without the explicit credential is refused', { method: 'POST', authorize: explicit }, refused],
  ])('%s', async (_, sent, expected) => {
    expect(await send(exchange, sent)).toEqual(expected)
  })
})

describe('CORS', () => {
  const respondTo = createCorsExchange({ allowedOrigins: ['https://ops.example'] })
  const accepted = { status: 204, detail: undefined }

  it('does not refuse a link, which has no origin', async () => {
    expect(await send(respondTo, {})).toEqual(accepted)
    expect(await send(respondTo, { headers: { origin: 'https://evil.example' } })).toEqual({
      status: 403,
      detail: 'Invalid CORS request.',
    })
  })

  it('does not refuse a program with an explicit credential, whatever its origin', async () => {
    const headers = { origin: 'https://evil.example', 'x-password': 'a' }
    expect(await send(respondTo, { headers, authorize: explicit })).toEqual(accepted)
  })
})
