import type { ManagementRequest } from 'upkeep/adapter'
import { describe, expect, it, vi } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import type { Representation } from '../../src/http/representation.ts'
import { createRouter } from '../../src/http/router.ts'
import { requestWith } from '../support/management-request.ts'

function keeping(changes: Partial<Representation> = {}) {
  const render = vi.fn((selection: unknown) => (selection === undefined ? 'whole' : 'part'))
  const [json, text] = ['application/json', 'text/plain'].map((mediaType) => ({ mediaType, render }))
  const representation = {
    offers: [json, text],
    caching: 'no-store',
    cachedResponses: new Map(),
    ...changes,
  } as Representation
  const router = createRouter([{ path: 'a', resource: { get: () => representation } }])
  const parts = { router, authorize: undefined, clock: { wallTime: () => 0, monotonicTime: () => 0 }, report: vi.fn() }
  const send = (request: Partial<ManagementRequest> = {}) =>
    exchange({ ...requestWith({}), target: '/a', ...request }, '/a', parts)
  return { send, render, representation }
}

describe('a representation with cached responses', () => {
  it.each([undefined, '*/*', 'text/plain', 'text/plain;q=0.5, application/json'])(
    'is rendered once for Accept %s and returned synchronously',
    (accept) => {
      const { send, render } = keeping()
      const request = accept === undefined ? {} : { headers: { accept } }
      const first = send(request)
      expect(first).toMatchObject({ status: 200, body: 'whole' })
      expect(send(request)).toBe(first)
      expect(render).toHaveBeenCalledTimes(1)
    },
  )

  it('is cached by Accept; HEAD has no content, and 406 is unchanged', () => {
    const { send } = keeping()
    const text = { accept: 'text/plain' }
    for (let round = 0; round < 2; round++) {
      expect(send()).toMatchObject({ headers: { 'Content-Type': 'application/json' }, body: 'whole' })
      expect(send({ headers: text })).toMatchObject({ headers: { 'Content-Type': 'text/plain' }, body: 'whole' })
      expect(send({ method: 'HEAD' })).toMatchObject({ headers: { 'Content-Length': '5' }, body: null })
      expect(send({ headers: { accept: 'image/png' } })).toMatchObject({ status: 406 })
    }
  })

  it.each([
    ['a selection', { target: '/a?fields=b' }, { body: 'part' }],
    ['a form by the query', { target: '/a?accept=text/plain' }, { headers: { 'Content-Type': 'text/plain' } }],
    ['another state', { headers: { 'if-match': '"x"' } }, { status: 412 }],
  ])('is rendered again for a request with %s, which is not cached', (_, request, expected) => {
    const { send } = keeping()
    const plain = send()
    expect(send(request)).toMatchObject(expected)
    expect(send()).toBe(plain)
  })

  it('caches a limited number of responses', () => {
    const { send, representation } = keeping()
    for (let at = 0; at < 100; at++) {
      expect(send({ headers: { accept: `text/plain, a/b${at}` } })).toMatchObject({ body: 'whole' })
    }
    expect(representation.cachedResponses?.size).toBe(16)
  })

  it('is complete for a HEAD that is the first request', () => {
    const { send, representation } = keeping()
    expect(send({ method: 'HEAD' })).toMatchObject({ status: 200, headers: { 'Content-Length': '5' }, body: null })
    expect(representation.cachedResponses?.size).toBe(0)
    expect(send()).toMatchObject({ status: 200, body: 'whole' })
  })

  it('is not cached as bytes', () => {
    const render = vi.fn(() => Uint8Array.of(1))
    const { send, representation } = keeping({ offers: [{ mediaType: 'application/octet-stream', render }] })
    for (let round = 0; round < 2; round++) expect(send()).toMatchObject({ status: 200, body: Uint8Array.of(1) })
    expect([render.mock.calls.length, representation.cachedResponses?.size]).toEqual([2, 0])
  })

  it('is not cached with a maximum age', () => {
    const { send, representation } = keeping({ caching: { maxAgeSeconds: 60 } })
    void send()
    expect(representation.cachedResponses?.size).toBe(0)
  })
})
