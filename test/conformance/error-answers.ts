import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/index.ts'
import type { Subject } from './subject.ts'

/** What the application's routes throw; each is mounted at `/fail/<name>`. */
export const failures: Readonly<Record<string, () => unknown>> = {
  secret: () => new Error('password=hunter2'),
  text: () => 'password=hunter2',
  nothing: () => undefined,
  conflict: () => new HttpError(409, 'The order is shipped.', { headers: { 'Retry-After': '7' } }),
  unavailable: () => new HttpError(503, 'Try later.', { cause: new Error('password=hunter2') }),
  // What body parsers and ctx.throw of the frameworks make: a status, and whether the message is for the client.
  exposed: () => Object.assign(new Error('The size is wrong.'), { status: 422, expose: true }),
  hidden: () => Object.assign(new Error('password=hunter2'), { status: 403, expose: false }),
  pretended: () => Object.assign(new Error('password=hunter2'), { status: 200 }),
}

/** What every adapter makes of errors that are thrown behind it. */
export function errorAnswers(
  subject: () => Subject,
  /** Whether an answer is being prepared, with fields of its own, when an error of this name is thrown. */
  { isPrepared }: { readonly isPrepared: (name: string) => boolean } = { isPrepared: () => true },
): void {
  const fail = (name: string, method = 'GET') => subject().ask({ method, target: `/fail/${name}?key=secret` })

  describe('an error that is thrown', () => {
    it.each([
      ['secret', 500, 'Internal Server Error', undefined],
      ['text', 500, 'Internal Server Error', undefined],
      ['conflict', 409, 'Conflict', 'The order is shipped.'],
      ['unavailable', 503, 'Service Unavailable', 'Try later.'],
      ['exposed', 422, 'Unprocessable Content', 'The size is wrong.'],
      ['hidden', 403, 'Forbidden', undefined],
      ['pretended', 500, 'Internal Server Error', undefined],
    ])('(%s) becomes an error document of %d that tells nothing else', async (name, status, title, detail) => {
      const answer = await fail(name)
      expect(answer.status).toBe(status)
      expect(answer.headers['content-type']).toBe('application/problem+json')
      const instance = `/fail/${name}`
      expect(JSON.parse(answer.body)).toEqual({
        type: 'about:blank',
        title,
        status,
        ...(detail && { detail }),
        instance,
        ...(isPrepared(name) && { request_id: 'r-1' }),
      })
    })

    it('brings its header fields along', async () => {
      expect((await fail('conflict')).headers['retry-after']).toBe('7')
    })

    it('takes back what was said of the content that it replaces, and leaves the rest', async () => {
      const { headers } = await fail('conflict')
      expect(headers).not.toHaveProperty('etag')
      expect(headers).not.toHaveProperty('content-encoding')
      expect(headers['x-request-id']).toBe(isPrepared('conflict') ? 'r-1' : undefined)
    })

    it('is told without content to HEAD', async () => {
      const head = await fail('conflict', 'HEAD')
      const get = await fail('conflict')
      expect(head).toMatchObject({ status: 409, body: '' })
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
    })

    it('is told to the service when it is the service’s own fault, and only then', async () => {
      const before = subject().reported.length
      await fail('conflict')
      expect(subject().reported.length).toBe(before)
      await fail('secret')
      expect(subject().reported.slice(before)).toEqual([new Error('password=hunter2')])
    })
  })
}
