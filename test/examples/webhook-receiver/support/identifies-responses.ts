import { describe, expect, it } from 'vitest'
import { uuidPattern } from './expect-error-document.ts'
import { json, sendRequest } from './http-client.ts'
import type { ServedApp } from './serve-app.ts'

export function identifiesResponses(app: () => ServedApp): void {
  const idOf = async (body: string, headers: Readonly<Record<string, string | string[]>> = {}) => {
    const reply = await sendRequest(app().origin, {
      path: `/hooks/${app().key}`,
      headers: { ...json, ...headers },
      body,
    })
    return reply.headers['x-request-id']
  }

  describe('identifies its responses', () => {
    it.each([
      ['a UUID', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
      ['any visible ASCII', `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`],
      ['one character', 'a'],
      ['128 characters', 'a'.repeat(128)],
    ])('with the request id of the caller if it is %s', async (_name, id) => {
      expect(await idOf('{"text":"a"}', { 'X-Request-Id': id })).toBe(id)
      expect(await idOf('{', { 'X-Request-Id': id })).toBe(id)
    })

    it.each<[string, string | string[]]>([
      ['129 characters', 'a'.repeat(129)],
      ['a blank', 'a b'],
      ['a tab', 'a\tb'],
      ['Latin-1', 'caf\u00e9'],
      ['nothing', ''],
      ['two', ['a', 'b']],
    ])('with a new id if that of the caller is %s', async (_name, id) => {
      expect(await idOf('{"text":"a"}', { 'X-Request-Id': id })).toMatch(uuidPattern)
      expect(await idOf('{', { 'X-Request-Id': id })).toMatch(uuidPattern)
    })

    it('with unique ids', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => idOf('{')))
      expect(new Set(ids).size).toBe(20)
    })
  })
}
