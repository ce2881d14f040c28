import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uuidPattern } from './expect-error-document.ts'
import { post } from './http-client.ts'
import type { ServedApp } from './serve-app.ts'

const datePattern = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

export function acknowledges(app: () => ServedApp): void {
  const postText = (text: string) => post(app().origin, app().key, text)

  describe('acknowledges', () => {
    it('with two characters of plain text, once the message is stored', async () => {
      const reply = await postText('Hello')

      expect(reply.status).toBe(200)
      expect(reply.body).toBe('ok')
      expect(reply.headers).toEqual({
        'content-type': 'text/plain',
        'content-length': '2',
        'x-request-id': expect.stringMatching(uuidPattern),
        'x-version-id': '1.2.3+test',
        date: expect.stringMatching(datePattern),
        connection: 'close',
      })
      expect(await app().texts()).toEqual(['Hello'])
    })

    it('any text, and stores it unchanged', async () => {
      const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).filter((each) => !each.includes('\0'))
      await fc.assert(
        fc.asyncProperty(text, async (each) => {
          expect((await postText(each)).body).toBe('ok')
          expect(await app().texts()).toEqual([each])
          await app().forget()
        }),
        { numRuns: 50 },
      )
    })

    it('a body of exactly 64 KiB', async () => {
      const text = 'a'.repeat(65_536 - '{"text":""}'.length)
      expect((await postText(text)).body).toBe('ok')
      expect(await app().texts()).toEqual([text])
    })

    it('many concurrent messages, each stored once', async () => {
      const texts = Array.from({ length: 200 }, (_, at) => `message ${at}`)
      const replies = await Promise.all(texts.map(postText))
      expect(replies.filter(({ body }) => body !== 'ok')).toEqual([])
      expect([...(await app().texts())].sort()).toEqual([...texts].sort())
    })
  })
}
