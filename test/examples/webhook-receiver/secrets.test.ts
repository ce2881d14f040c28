import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, describePostgres, dropTestDatabase } from './support/describe-postgres.ts'
import { json, post, sendRequest } from './support/http-client.ts'
import { operate } from './support/operator-client.ts'
import { keepReceivers, keyOf, originOf } from './support/receiver-process.ts'

/** What an OTLP receiver was sent, as it came. */
const exported: string[] = []
const collector = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  exported.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('latin1'))
  response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end()
})
beforeAll(() => new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening)))
afterAll(() => collector.close())

describePostgres((server) => {
  const receivers = keepReceivers()
  afterEach(() => receivers.endAll())

  it('no key, signing secret, token or password leaves the receiver', async () => {
    const databaseUrl = (await createTestDatabase(server())).replace('postgres@', 'postgres:a-password@')
    const receiver = receivers.start({
      DATABASE_URL: databaseUrl,
      MANAGEMENT_TOKEN: 'a-token',
      LOG_LEVEL: 'TRACE',
      MESSAGES_PER_MINUTE: '20',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    })
    const origin = await originOf(receiver)
    const key = await keyOf(receiver)
    const greetingEnds = receiver.output().length
    const signed = (await operate(origin, 'POST', '/hooks', { name: 'signed', signed: true })).content
    const received: string[] = []
    const send = async (method: string, path: string, body = '{"text":"a"}', headers = {}) => {
      const reply = await sendRequest(origin, {
        method,
        path,
        headers: { ...json, ...headers },
        body: method === 'POST' ? body : '',
      })
      received.push(JSON.stringify(reply))
    }

    const encoded = `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`
    for (const each of [key, signed.key, encoded, key.toUpperCase(), key.slice(0, -1)]) {
      for (const path of [
        '/hooks/KEY',
        '/hooks/KEY/',
        '/hooks/KEY/messages',
        '//hooks/KEY',
        '/HOOKS/KEY',
        '/KEY',
        '/hooks/KEY%',
      ]) {
        for (const method of ['POST', 'GET', 'DELETE']) await send(method, path.replace('KEY', each))
      }
    }
    for (const body of ['{', '{"text":1}', 'a'.repeat(70_000)]) await send('POST', `/hooks/${key}`, body)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', Buffer.from(signed.signingSecret.slice(6), 'base64'))
      .update(`a.${timestamp}.{"text":"a"}`)
      .digest('base64')
    const fields = { 'webhook-id': 'a', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
    await send('POST', `/hooks/${signed.key}`, '{"text":"a"}', fields)
    expect(received.at(-1)).toContain('"ok"')
    for (const token of ['Bearer a-token', `Basic ${Buffer.from('operator:a-token').toString('base64')}`]) {
      for (const path of [
        '/hooks',
        `/hooks/${signed.id}`,
        `/hooks/${signed.id}/messages`,
        '/management/health',
        '/none',
      ]) {
        await send('GET', path, '', { Authorization: token })
      }
    }
    await dropTestDatabase(server(), databaseUrl)
    expect((await post(origin, key, 'a')).status).toBe(503)
    await send('POST', `/hooks/${key}`)
    const { links } = JSON.parse((await sendRequest(origin, { method: 'GET', path: '/management/metrics' })).body)
    expect(links).toBeUndefined()
    for (const path of ['/management/prometheus', '/management/metrics', '/management/metrics/http.server.requests']) {
      await send('GET', path)
    }
    receiver.process.kill('SIGTERM')
    expect(await receiver.ended).toBe(0)

    expect(exported.join('')).toContain('POST /hooks/:key')
    const log = receiver.output().slice(greetingEnds)
    expect(log).toContain('refused a message')
    const secrets = {
      key,
      'the key of the signed hook': signed.key,
      'the key in capitals': key.toUpperCase(),
      'most of the key': key.slice(1, -1),
      'the signing secret': signed.signingSecret.slice(6),
      'the token': 'a-token',
      'the token in Base64': Buffer.from('operator:a-token').toString('base64'),
      'the password': 'a-password',
    }
    const outputs = { log, 'what was exported': exported.join(''), 'what was responded': received.join('\n') }
    for (const [place, text] of Object.entries(outputs)) {
      for (const [name, secret] of Object.entries(secrets)) {
        const at = text.indexOf(secret)
        expect(at === -1 ? 'absent' : text.slice(Math.max(0, at - 100), at + 50), `${name} in ${place}`).toBe('absent')
      }
    }
  })
})
