import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Management } from '../../src/index.ts'
import { askOver } from '../support/ask.ts'
import { requestsOf } from '../support/requests-of.ts'

/** A server whose application is observed, with `orders` as its routes. */
export interface ObservedSubject {
  readonly port: number
  readonly management: Management
}

/**
 * What an observed application has: `GET /orders/:id` (200, in three pieces), `POST /orders/:id` (201), `GET /hang/:id`
 * (never answers), `GET /endless/:id` (never ends), `GET /fail/:id` (throws a TypeError), `GET /conflict/:id` (throws an
 * HttpError of 409), `GET /moved` (302, with no route of its own) and nothing else.
 */
export function observationOverHttp(
  subject: () => ObservedSubject,
  { knowsSending }: { readonly knowsSending: boolean } = { knowsSending: true },
): void {
  /** The series that changed while something was done, as `uri method status outcome exception`. */
  const observe = async (act: () => Promise<unknown>, expected: readonly string[]) => {
    const { management } = subject()
    const before = requestsOf(management.meters)
    await act()
    // The answer is read here before its response is closed over there.
    await expect
      .poll(() =>
        [...requestsOf(management.meters)].flatMap(([id, n]) => Array(n - (before.get(id) ?? 0)).fill(id)).sort(),
      )
      .toEqual([...expected].sort())
    await expect.poll(() => activeOf(management)).toBe(0)
  }
  const ask = (target: string, method = 'GET') => askOver(subject().port)({ target, method })

  describe('a request', () => {
    it.each([
      ['of a route', 'GET', '/orders/17?key=secret', '/orders/:id GET 200 SUCCESS none'],
      ['that makes something', 'POST', '/orders/18', '/orders/:id POST 201 SUCCESS none'],
      ['for the head only', 'HEAD', '/orders/19', '/orders/:id HEAD 200 SUCCESS none'],
      ['that nobody knows', 'GET', '/wp-login.php', 'NOT_FOUND GET 404 CLIENT_ERROR none'],
      ['that is sent elsewhere', 'GET', '/moved', 'REDIRECTION GET 302 REDIRECTION none'],
      ['whose route throws', 'GET', '/fail/20', '/fail/:id GET 500 SERVER_ERROR TypeError'],
      ['that is refused by an error', 'GET', '/conflict/21', '/conflict/:id GET 409 CLIENT_ERROR HttpError'],
      ['with a method of its own', 'PROPFIND', '/nowhere', 'NOT_FOUND OTHER 404 CLIENT_ERROR none'],
    ])('%s is timed by its template', async (_, method, target, expected) => {
      await observe(() => ask(target, method), [expected])
    })

    it('has its whole time taken, and no more than that', async () => {
      const { management } = subject()
      const taken = () =>
        [...management.meters.snapshot('http.server.requests')].reduce(
          (sum, one) => sum + (one.kind === 'timer' ? one.total : 0),
          0,
        )
      const before = taken()
      const began = performance.now()
      await observe(() => ask('/orders/22'), ['/orders/:id GET 200 SUCCESS none'])
      expect(taken()).toBeGreaterThan(before)
      expect(taken() - before).toBeLessThan((performance.now() - began) / 1_000)
    })

    it.each([
      ['before it is answered', '/hang/23', false],
      ['in the middle of its answer', '/endless/24', true],
    ])('that the client leaves %s is aborted', async (_, path, answered) => {
      await observe(async () => {
        const { management, port } = subject()
        const client = request({ port, host: '127.0.0.1', path })
        client.on('error', () => {})
        client.end()
        if (answered) {
          const [response] = await once(client, 'response')
          response.on('error', () => {})
          await once(response, 'data')
        }
        await expect.poll(() => activeOf(management)).toBe(1)
        client.destroy()
      }, [`${path.slice(0, path.lastIndexOf('/'))}/:id GET 499 ABORTED none`])
    })

    it('that waits behind another on a connection which the client leaves is aborted, too', async () => {
      const waiting = `/orders/:id GET ${knowsSending ? '499 ABORTED' : '200 SUCCESS'} none`
      await observe(async () => {
        const { management, port } = subject()
        const socket = connect(port, '127.0.0.1')
        const lines = ['/hang/26', '/orders/27', '/orders/28'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
        socket.write(lines.join(''))
        await expect.poll(() => activeOf(management)).toBe(knowsSending ? 3 : 1)
        socket.destroy()
      }, [waiting, waiting, '/hang/:id GET 499 ABORTED none'])
    })

    it('is counted once, in whatever number they come on a connection', async () => {
      await observe(async () => {
        const socket = connect(subject().port, '127.0.0.1')
        const ask = (connection: string) => `GET /orders/29 HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`
        socket.write(ask('keep-alive').repeat(19) + ask('close'))
        await text(socket)
      }, Array(20).fill('/orders/:id GET 200 SUCCESS none'))
    })

    it('to the management is none to the application', async () => {
      expect(await ask('/management/health')).toMatchObject({ status: 200 })
      expect(await ask('/management/nothing')).toMatchObject({ status: 404 })
      await observe(() => ask('/orders/25'), ['/orders/:id GET 200 SUCCESS none'])
      expect([...requestsOf(subject().management.meters).keys()].join()).not.toMatch(/management|UNKNOWN/)
    })

    it('can be looked up at the metrics endpoint', async () => {
      const { body } = await ask('/management/metrics/http.server.requests?tag=uri:/orders/:id&tag=status:201')
      expect(JSON.parse(body)).toMatchObject({
        name: 'http.server.requests',
        baseUnit: 'seconds',
        measurements: [{ statistic: 'COUNT', value: 1 }, { statistic: 'TOTAL_TIME' }, { statistic: 'MAX' }],
        availableTags: [
          { tag: 'exception', values: ['none'] },
          { tag: 'method', values: ['POST'] },
          { tag: 'outcome', values: ['SUCCESS'] },
        ],
      })
    })
  })
}

function activeOf({ meters }: Management): number {
  const [active] = meters.snapshot('http.server.requests.active')
  return active?.kind === 'gauge' ? active.value : Number.NaN
}
