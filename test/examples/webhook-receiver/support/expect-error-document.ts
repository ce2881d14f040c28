import { expect } from 'vitest'
import type { Reply } from './http-client.ts'

export const aUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Checks that a reply is an error document that tells of nothing internal. */
export function expectErrorDocument(reply: Reply, status: number): void {
  expect(reply.status, reply.body).toBe(status)
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)))
  expect(reply.headers['x-request-id']).toMatch(aUuid)
  expect(reply.headers['x-version-id']).toBe('1.2.3+test')
  expect(JSON.parse(reply.body)).toMatchObject({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z]/),
    status,
  })
  expect(reply.body).not.toMatch(/node_modules|\.ts\b|at .+:\d+:\d+|select |insert |pglite|postgres|ECONN/i)
}
