import type { Management } from 'upkeep'
import { describe, expect, it } from 'vitest'
import type { RawRequest, RawResponse } from '../support/raw-client.ts'
import { requestCounts } from '../support/request-counts.ts'
import { hostileBodies } from './hostile-bodies.ts'

/** A server in which an adapter serves the orders service. */
export interface ResourcesSubject {
  readonly sendRequest: (request: RawRequest) => Promise<RawResponse>
  /** The URL of the resources, including the prefix. */
  readonly at: string
  /** Whether a body parser precedes the resources. */
  readonly parser: boolean
  /** What observes the application. */
  readonly management: Management
  readonly reported: readonly unknown[]
}

/** The behavior of every adapter's resources over a real socket. */
export function resourcesOverHttp(subject: () => ResourcesSubject): void {
  const sendRequest = (path: string, request: Omit<RawRequest, 'target'> = {}) =>
    subject().sendRequest({ ...request, target: `${subject().at}${path}` })
  const send = (method: string, path: string, body: unknown, headers = {}) =>
    sendRequest(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const order = { id: '', item: 'tea ☂', quantity: 2, customer: 'c1' }

  describe('a resource', () => {
    it('is created, read, changed if its version matches, and deleted', async () => {
      const created = await send('POST', '/orders', order)
      expect(created.status).toBe(201)
      const target = created.headers['location'] ?? ''
      expect(target).toMatch(new RegExp(`^${subject().at}/orders/n\\d+$`))
      expect(created.headers['content-location']).toBe(target)
      const here = (request: Omit<RawRequest, 'target'> = {}) => subject().sendRequest({ ...request, target })

      const read = await here()
      expect(JSON.parse(read.body)).toMatchObject({ item: 'tea ☂' })
      expect(read.headers['content-length']).toBe(String(read.bytes.byteLength))
      const match = { 'If-Match': read.headers['etag'] ?? '' }
      const json = { 'Content-Type': 'application/json' }
      const put = () => here({ method: 'PUT', headers: { ...json, ...match }, body: JSON.stringify(order) })
      await here({ method: 'PUT', headers: json, body: JSON.stringify({ ...order, item: 'coffee' }) })
      expect((await put()).status).toBe(412)
      expect(await here({ method: 'DELETE' })).toMatchObject({ status: 204, body: '' })
      expect((await here()).status).toBe(404)
      expect(await here({ method: 'HEAD' })).toMatchObject({ status: 404, body: '' })
    })

    it.each(['/orders', '/orders/a', '/latest', '/orders/moved', '/none', '/secret', '/orders?pageSize=x'])(
      '%s responds to HEAD as to GET, without content',
      async (path) => {
        const [get, head] = [await sendRequest(path), await sendRequest(path, { method: 'HEAD' })]
        expect({ ...head, headers: withoutDate(head), body: get.body, bytes: get.bytes }).toEqual({
          ...get,
          headers: withoutDate(get),
        })
        expect(head.body).toBe('')
      },
    )

    it.each([
      ['GET', '/orders/moved', 301],
      ['GET', '/latest', 303],
      ['GET', '/mirror', 307],
      ['POST', '/orders/repeat', 201],
    ])('%s %s has no content: %i', async (method, path, status) => {
      const response = await sendRequest(path, { method })
      expect(response.status).toBe(status)
      if (status === 201) return
      expect(response).toMatchObject({ body: '', headers: { 'content-length': '0', location: expect.any(String) } })
      expect(response.headers).not.toHaveProperty('content-type')
    })

    it('is listed in pages whose links lead to all of it', async () => {
      const seen: string[] = []
      let target: string | undefined = `${subject().at}/orders?pageSize=2`
      for (let turn = 0; target !== undefined && turn < 20; turn++) {
        const page = await subject().sendRequest({ target })
        expect(page.status).toBe(200)
        seen.push(...JSON.parse(page.body).map(({ id }: { id: string }) => id))
        target = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1]
      }
      expect(seen.slice(0, 5)).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(new Set(seen).size).toBe(seen.length)
    })

    it('has links below the mount path', async () => {
      const { links } = JSON.parse((await sendRequest('/orders/a')).body)
      expect((await subject().sendRequest({ target: links.self.href })).status).toBe(200)
      expect(JSON.parse((await subject().sendRequest({ target: links.cancel.rel })).body)).toMatchObject({
        method: 'POST',
      })
    })

    it('has the same request id in the error document and the response', async () => {
      const response = await sendRequest('/none')
      expect(response.headers['x-request-id']).toMatch(/^r-\d+$/)
      expect(JSON.parse(response.body).request_id).toBe(response.headers['x-request-id'])
    })

    it('reveals nothing of an internal error', async () => {
      const before = subject().reported.length
      const { status, body } = await sendRequest('/broken')
      expect([status, body.includes('hunter2')]).toEqual([500, false])
      expect(subject().reported.slice(before)).toEqual([new Error('password=hunter2')])
    })

    it('is counted by the template of its address, not by its path', async () => {
      const { meters } = subject().management
      const ofTemplate = () =>
        [...requestCounts(meters)].flatMap(([id, count]) =>
          id.startsWith(`${subject().at}/orders/{order} GET 200 `) ? [count] : [],
        )
      const [before = 0] = ofTemplate()
      expect((await sendRequest('/orders/a?x=secret')).status).toBe(200)
      await expect.poll(ofTemplate).toEqual([before + 1])
      expect([...requestCounts(meters).keys()].join()).not.toMatch(/\?|\/orders\/a\b/)
    })

    it('passes on other requests', async () => {
      expect((await subject().sendRequest({ target: '/elsewhere' })).body).toBe('elsewhere')
    })
  })

  describe('a request body', () => {
    it('over the limit is refused with 413', async () => {
      const response = await send('POST', '/echo', 'x'.repeat(2_000))
      expect(response.status).toBe(413)
    })

    it('of another media type is refused with 415 and the accepted types', async () => {
      const response = await sendRequest('/orders', {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain' },
        body: '{}',
      })
      expect(response.status).toBe(415)
      expect(response.headers['accept']).toContain('application/json; version=2')
    })
  })
}

/** What an adapter makes of the content of a request, wherever the resources are mounted. */
export function hostileBodiesOverHttp(subject: () => ResourcesSubject): void {
  it.each(hostileBodies.map(({ name }, at) => [name, at] as const))('%s never causes a 5xx', async (_name, at) => {
    const { body, isJson } = hostileBodies[at] ?? { body: '', isJson: false }
    const { sendRequest, at: root, parser } = subject()
    const response = await sendRequest({
      target: `${root}/echo`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    if (!parser) expect(response.status).toBe(isJson ? 200 : 400)
    expect(response.status).toBeLessThan(500)
    const value = JSON.parse(response.body)
    if (response.status >= 400) expect(value).toMatchObject({ status: response.status, title: expect.any(String) })
  })
}

function withoutDate({ headers: { date: _date, expires: _expires, 'x-request-id': _id, ...rest } }: RawResponse) {
  // An error document contains the request id, whose length may differ by one digit.
  const { 'content-length': _length, ...others } = rest
  return rest['content-type'] === 'application/problem+json' ? others : rest
}
