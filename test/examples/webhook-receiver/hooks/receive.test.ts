import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHook } from '../../../../examples/webhook-receiver/hooks/hooks.ts'
import { expectErrorDocument } from '../support/expect-error-document.ts'
import { json, post, sendRequest } from '../support/http-client.ts'
import { serveApp } from '../support/serve-app.ts'
import { useApp } from '../support/use-app.ts'

const app = useApp({ environment: { MAX_TEXT_LENGTH: '4000', MAX_BODY_BYTES: '100000' } })

const send = (body: string, headers: Readonly<Record<string, string>> = {}, key = app().key) =>
  sendRequest(app().origin, { path: `/hooks/${key}`, headers: { ...json, ...headers }, body })
const counted = async (outcome: string) => {
  const reply = await sendRequest(app().origin, {
    method: 'GET',
    path: `/management/metrics/webhook.messages?tag=outcome:${outcome}`,
  })
  return reply.status === 404 ? 0 : Number(JSON.parse(reply.body).measurements[0].value)
}

describe('a stored message', () => {
  const stored = () =>
    app().database.query('select text, username, channel, icon_url, icon_emoji, attachments, props from messages')
  const nothing = { username: null, channel: null, icon_url: null, icon_emoji: null, attachments: null, props: null }

  it('has all members that a chat shows', async () => {
    const message = {
      text: 'Build 17 is green',
      username: 'ci',
      channel: 'town-square',
      icon_url: 'https://example.org/ci.png',
      icon_emoji: ':rocket:',
      attachments: [
        { fallback: 'a', color: '#36a64f', fields: [{ short: true, title: 'b', value: 1 }], ts: 1.5, own: {} },
      ],
      props: { card: '# A card', deep: [{ '': null }] },
    }
    expect((await send(JSON.stringify(message))).body).toBe('ok')
    expect(await stored()).toEqual([message])
  })

  it('has no null, empty or unknown members', async () => {
    const message = { text: 'a', username: '', channel: null, icon_url: '', attachments: [], props: null, other: 1 }
    expect((await send(JSON.stringify(message))).body).toBe('ok')
    expect(await stored()).toEqual([{ text: 'a', ...nothing }])
  })

  it.each([
    ['an empty text', { text: '' }],
    ['a text of null', { text: null }],
    ['no text', {}],
  ])('may have an attachment with %s', async (_name, text) => {
    expect((await send(JSON.stringify({ ...text, attachments: [{ text: 'a' }] }))).body).toBe('ok')
    expect(await stored()).toEqual([{ ...nothing, text: '', attachments: [{ text: 'a' }] }])
  })

  it('has a text of up to the maximum length', async () => {
    expect((await send(JSON.stringify({ text: 'a'.repeat(4_000) }))).body).toBe('ok')
    const refused = await send(JSON.stringify({ text: 'a'.repeat(4_001) }))
    expectErrorDocument(refused, 400)
    expect(refused.body).toContain('longer than 4000 characters: it has 4001')
    expect(await app().texts()).toEqual(['a'.repeat(4_000)])
  })
})

describe('a repeated delivery', () => {
  it.each([
    ['Idempotency-Key', 'a-key'],
    ['Idempotency-Key', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
    ['webhook-id', 'msg_1'],
  ])('is acknowledged each time, and stored once: %s: %s', async (name, id) => {
    for (let time = 0; time < 3; time++) expect((await send('{"text":"a"}', { [name]: id })).body).toBe('ok')
    expect(await app().texts()).toEqual(['a'])
  })

  it('is not identified by other fields', async () => {
    for (let time = 0; time < 2; time++) await send('{"text":"a"}', { 'X-GitHub-Delivery': 'a' })
    expect(await app().texts()).toEqual(['a', 'a'])
  })

  it('is stored once if all copies arrive concurrently', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => send('{"text":"a"}', { 'Idempotency-Key': 'b' })),
    )
    expect(replies.map(({ body }) => body)).toEqual(replies.map(() => 'ok'))
    expect(await app().texts()).toEqual(['a'])
  })

  it('is refused with 422 if its body differs', async () => {
    await send('{"text":"a"}', { 'Idempotency-Key': 'c' })
    expectErrorDocument(await send('{"text":"b"}', { 'Idempotency-Key': 'c' }), 422)
    expect(await app().texts()).toEqual(['a'])
  })

  it('is a separate message on another hook', async () => {
    const { key } = await createHook(app().database.query)
    await send('{"text":"a"}', { 'Idempotency-Key': 'd' })
    expect((await send('{"text":"b"}', { 'Idempotency-Key': 'd' }, key)).body).toBe('ok')
    expect([...(await app().texts())].sort()).toEqual(['a', 'b'])
  })

  it.each(['', '""', 'a b', 'a'.repeat(256), 'é'])('is refused with 400 if its id is %j', async (id) => {
    const refused = await send('{"text":"a"}', { 'Idempotency-Key': Buffer.from(id).toString('latin1') })
    expectErrorDocument(refused, 400)
    expect(refused.body).toContain('idempotency-key must be 1 to 255 visible ASCII characters')
  })

  it('is not detected without an id', async () => {
    for (let time = 0; time < 3; time++) await send('{"text":"a"}')
    expect(await app().texts()).toEqual(['a', 'a', 'a'])
  })
})

describe('a hook with a signing secret', () => {
  const secret = `whsec_${Buffer.from('a secret of a hook').toString('base64')}`
  const sign = (id: string, body: string, timestamp = Math.floor(Date.now() / 1_000)) => {
    const hmac = createHmac('sha256', 'a secret of a hook').update(`${id}.${timestamp}.${body}`)
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${hmac.digest('base64')}`,
    }
  }
  let key: string
  beforeAll(async () => {
    const hook = await createHook(app().database.query)
    await app().database.query('update hooks set signing_secret = $1 where id = $2', [secret, hook.id])
    key = hook.key
  })

  it('accepts a signed message once', async () => {
    const headers = sign('msg_a', '{"text":"a"}')
    expect((await send('{"text":"a"}', headers, key)).body).toBe('ok')
    expect((await send('{"text":"a"}', headers, key)).body).toBe('ok')
    expect(await app().texts()).toEqual(['a'])
  })

  it('identifies a delivery by its signed id only, which prevents replays', async () => {
    const headers = sign('msg_r', '{"text":"r"}')
    for (const idempotencyKey of ['x0', 'x1', '"msg_r"', 'x'.repeat(300)]) {
      expect((await send('{"text":"r"}', { ...headers, 'Idempotency-Key': idempotencyKey }, key)).body).toBe('ok')
    }
    expect(await app().texts()).toEqual(['r'])
  })

  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['is not signed', '{"text":"a"}', {}],
    ['was changed on its way', '{"text":"b"}', sign('msg_b', '{"text":"a"}')],
    ['was signed ten minutes ago', '{"text":"a"}', sign('msg_c', '{"text":"a"}', Math.floor(Date.now() / 1_000) - 600)],
  ])('refuses with 401 and does not store a message that %s', async (_name, body, headers) => {
    const refused = await send(body, headers, key)
    expectErrorDocument(refused, 401)
    expect(refused.headers['www-authenticate']).toBe('Webhook-Signature')
    expect(await app().texts()).toEqual([])
  })
})

describe('a hook that is disabled', () => {
  it('refuses messages with 403', async () => {
    const { id, key } = await createHook(app().database.query)
    await app().database.query('update hooks set enabled = false where id = $1', [id])
    expectErrorDocument(await post(app().origin, key, 'a'), 403)
    expect(await app().texts()).toEqual([])
  })
})

describe('a key', () => {
  it('is refused once it has expired', async () => {
    const { id, key } = await createHook(app().database.query)
    await app().database.query(`update hook_keys set expires_at = now() - interval '1 second' where hook_id = $1`, [id])
    expectErrorDocument(await post(app().origin, key, 'a'), 404)
  })
})

describe('a hook that exceeds its rate limit', () => {
  it('responds with 429 and Retry-After, without affecting other hooks', async () => {
    const slow = await serveApp(app().database, { MESSAGES_PER_MINUTE: '3' })
    const replies = []
    for (let at = 0; at < 4; at++) replies.push(await post(slow.origin, slow.key, `${at}`))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const [, , , refused] = replies
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await post(slow.origin, (await createHook(app().database.query)).key, 'other')).body).toBe('ok')
    expect(await slow.texts()).toEqual(['0', '1', '2', 'other'])
    await slow.stop()
  })
})

describe('meters', () => {
  it('count messages by hook and outcome', async () => {
    const before = {
      stored: await counted('stored'),
      repeated: await counted('repeated'),
      refused: await counted('refused'),
    }
    await send('{"text":"a"}', { 'Idempotency-Key': 'e' })
    await send('{"text":"a"}', { 'Idempotency-Key': 'e' })
    await send('{')
    await send('{"text":"a"}', {}, 'abcdefghijkmnopqrstuvwxyz2')
    expect([await counted('stored'), await counted('repeated'), await counted('refused')]).toEqual([
      before.stored + 1,
      before.repeated + 1,
      before.refused + 2,
    ])
    const byHook = await sendRequest(app().origin, { method: 'GET', path: '/management/metrics/webhook.messages' })
    const [hooks] = JSON.parse(byHook.body).availableTags.filter(({ tag }: { tag: string }) => tag === 'hook')
    expect(hooks.values).toContain(app().hookId)
    expect(hooks.values).toContain('unknown')
  })

  it.each(['webhook.message.size', 'webhook.store'])('record %s', async (name) => {
    await send('{"text":"a"}')
    const { status, body } = await sendRequest(app().origin, { method: 'GET', path: `/management/metrics/${name}` })
    expect([status, JSON.parse(body).measurements[0].value > 0]).toEqual([200, true])
  })
})
