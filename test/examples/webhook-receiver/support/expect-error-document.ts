import { expect } from 'vitest'
import type { HttpResponse } from './http-client.ts'

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Checks that a response is an error document without internal details. */
export function expectErrorDocument(reply: HttpResponse, status: number): void {
  expect(reply.status, reply.body).toBe(status)
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)))
  expect(reply.headers['x-request-id']).toMatch(uuidPattern)
  expect(reply.headers['x-version-id']).toBe('1.2.3+test')
  expect(JSON.parse(reply.body)).toMatchObject({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z]/),
    status,
  })
  expect(reply.body).not.toMatch(/node_modules|\.ts\b|at .+:\d+:\d+|select |insert |pglite|postgres|ECONN/i)
}
