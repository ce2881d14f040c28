import { describe, expect, it } from 'vitest'
import { difficultTexts } from './difficult-texts.ts'
import { expectErrorDocument, uuidPattern } from './expect-error-document.ts'
import { json, post, sendRequest } from './http-client.ts'
import { operate } from './operator-client.ts'
import type { ServedApp } from './serve-app.ts'

export function hasMessages(app: () => ServedApp): void {
  const call = (method: string, below: string, body?: unknown, headers = {}) =>
    operate(app().origin, method, `/hooks/${app().hookId}/messages${below}`, body, headers)
  const send = (message: unknown, headers = {}) =>
    sendRequest(app().origin, {
      path: `/hooks/${app().key}`,
      headers: { ...json, ...headers },
      body: JSON.stringify(message),
    })
  const textsOf = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text)

  describe('has messages below a hook: it', () => {
    it('returns one as it was sent', async () => {
      const message = {
        text: 'Build 17 is green',
        username: 'ci',
        channel: 'town-square',
        attachments: [{ text: 'a', fields: [{ title: 'b', value: null }] }],
        props: { card: '# A card', nothing: null },
      }
      await send({ ...message, icon_url: 'https://example.org/a.png', icon_emoji: ':x:' }, { 'Idempotency-Key': 'k' })
      const { content } = await call('GET', '')
      expect(content).toHaveLength(1)
      expect(content[0]).toMatchObject({
        ...message,
        id: expect.stringMatching(uuidPattern),
        iconUrl: 'https://example.org/a.png',
        iconEmoji: ':x:',
        deliveryId: 'k',
        receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        links: { self: { href: `/hooks/${app().hookId}/messages/${content[0].id}` } },
      })
      expect((await call('GET', `/${content[0].id}`)).content).toEqual(content[0])
      await app().forget()
      await post(app().origin, app().key, 'plain')
      expect(Object.keys((await call('GET', '')).content[0]).sort()).toEqual(['id', 'links', 'receivedAt', 'text'])
    })

    it.each([...difficultTexts])('stores and returns %s as it was sent', async (_name, text) => {
      expect((await post(app().origin, app().key, text)).body).toBe('ok')
      expect(await app().texts()).toEqual([text])
      expect(textsOf((await call('GET', '')).content)).toEqual([text])
    })

    it('paginates them, the newest first', async () => {
      for (let at = 0; at < 5; at++) await post(app().origin, app().key, String(at))
      const first = await call('GET', '?pageSize=2')
      expect(textsOf(first.content)).toEqual(['4', '3'])
      expect(first.headers['link']).toContain('rel="next"')
      const last = await call('GET', '?pageSize=2&pageStartIndex=4&fields=text')
      expect(last.content).toEqual([{ text: '0' }])
      expect(last.headers['link']).not.toContain('rel="next"')
      const headers = { 'If-None-Match': first.headers.etag }
      expect((await call('GET', '?pageSize=2', undefined, headers)).status).toBe(304)
      await post(app().origin, app().key, 'new')
      expect(textsOf((await call('GET', '?pageSize=2', undefined, headers)).content)).toEqual(['new', '4'])
    })

    it('filters and searches them by the same criteria', async () => {
      await send({ text: 'One 100% É', username: 'ci', channel: 'a' })
      await send({ text: 'two', username: 'ci', channel: 'b' })
      await send({ text: 'three', username: 'cd', channel: 'b' })
      const receivedSince = (await call('GET', '')).content[1].receivedAt
      const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
        [{ username: 'ci' }, ['two', 'One 100% É']],
        [{ username: 'ci', channel: 'b' }, ['two']],
        [{ text: 'T' }, ['three', 'two']],
        [{ text: 'one 100% É' }, ['One 100% É']],
        [{ text: "'; drop table messages; --" }, []],
        [{ text: '%' }, ['One 100% É']],
        [{ receivedSince }, ['three', 'two']],
        [{ receivedBefore: '2000-01-01T00:00:00+01:00' }, []],
      ]
      for (const [criteria, texts] of cases) {
        const query = new URLSearchParams(criteria).toString()
        expect(textsOf((await call('GET', `?${query}`)).content), query).toEqual(texts)
        expect(textsOf((await call('POST', '/search', criteria)).content), query).toEqual(texts)
      }
      expect(textsOf((await call('POST', '/search?pageSize=1', { username: 'ci' })).content)).toEqual(['two'])
    })

    it.each([
      ['text', '\0'],
      ['username', 'a\0'],
      ['receivedSince', 'yesterday'],
      ['receivedBefore', '2024-13-01T00:00:00Z'],
      ['receivedBefore', '2026-02-30T00:00:00Z'],
      ['receivedSince', '0000-01-01T00:00:00Z'],
      ['receivedSince', '0001-01-01T00:00:00+00:01'],
      ['receivedBefore', '9999-12-31T23:59:59-00:01'],
      ['receivedSince', '2026-01-01T00:00:00+24:00'],
      ['other', 'a'],
    ])('refuses a filter %s of %j', async (name, value) => {
      expectErrorDocument(await call('GET', `?${new URLSearchParams({ [name]: value })}`), 400)
      expectErrorDocument(await call('POST', '/search', { [name]: value }), 400)
    })

    it.each([
      ['receivedSince', '0001-01-01T00:00:00Z', 1],
      ['receivedSince', '2026-01-01T00:00:00+16:00', 1],
      ['receivedSince', '2026-01-01T00:00:00+23:59', 1],
      ['receivedBefore', '2026-01-01T00:00:00-23:59', 0],
      ['receivedBefore', '9999-12-31T23:59:59.999Z', 1],
    ])('finds messages by a %s of %s', async (name, value, count) => {
      await post(app().origin, app().key, 'a')
      expect((await call('GET', `?${new URLSearchParams({ [name]: value })}`)).content).toHaveLength(count)
      expect((await call('POST', '/search', { [name]: value })).content).toHaveLength(count)
    })

    it('has the time at which a message was received', async () => {
      await post(app().origin, app().key, 'a')
      const [{ id, receivedAt }] = (await call('GET', '')).content
      const { headers } = await call('GET', `/${id}`)
      expect(headers['last-modified']).toBe(new Date(receivedAt).toUTCString())
    })

    it('lists only the messages of the hook', async () => {
      await post(app().origin, app().key, 'a')
      const [{ id }] = (await call('GET', '')).content
      const other = (await operate(app().origin, 'POST', '/hooks', {})).content.id
      expect((await operate(app().origin, 'GET', `/hooks/${other}/messages`)).content).toEqual([])
      for (const path of [`/hooks/${other}/messages/${id}`, `/hooks/${app().hookId}/messages/${other}`]) {
        expectErrorDocument(await operate(app().origin, 'GET', path), 404)
      }
      expectErrorDocument(await call('GET', '/not-an-id'), 404)
    })
  })
}
