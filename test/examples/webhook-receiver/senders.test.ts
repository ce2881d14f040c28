import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IncomingWebhook } from '@slack/webhook'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../../examples/webhook-receiver/database/database.ts'
import { startChild } from '../../support/child.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { startAlertmanager } from '../../support/start-alertmanager.ts'
import { openPrepared } from './support/open-prepared.ts'
import { type ServedApp, serveApp } from './support/serve-app.ts'

// Programs that know nothing of this receiver, and think that they talk to Slack or Mattermost.
describe('senders', { timeout: 60_000 }, () => {
  let dataDir: string
  let database: Database
  let app: ServedApp
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
    database = await openPrepared({ dataDir, databaseUrl: undefined }, () => {})
    app = await serveApp(database)
  }, 60_000)
  afterEach(() => app.forget())
  afterAll(async () => {
    await app.stop()
    await database.close()
    await rm(dataDir, { recursive: true })
  })

  const address = () => `${app.origin}/hooks/${app.key}`
  const stored = () => database.query<Readonly<Record<string, unknown>>>('select * from messages')

  describe('@slack/webhook', () => {
    it('gets ok for a text', async () => {
      expect(await new IncomingWebhook(address()).send('Grüße 😀\nand a line')).toEqual({ text: 'ok' })
      expect(await app.texts()).toEqual(['Grüße 😀\nand a line'])
    })

    it('gets ok for attachments alone', async () => {
      const webhook = new IncomingWebhook(address(), { username: 'ci', icon_emoji: ':rocket:', channel: '#builds' })
      const attachments = [
        { fallback: 'Build 17', color: 'good', fields: [{ title: 'Branch', value: 'main', short: true }] },
      ]
      expect(await webhook.send({ attachments })).toEqual({ text: 'ok' })
      expect(await stored()).toMatchObject([
        { text: '', username: 'ci', icon_emoji: ':rocket:', channel: '#builds', attachments },
      ])
    })
  })

  describeProgram({ program: 'curl', debian: 'curl' }, (curl) => {
    it.each<[string, readonly string[], string]>([
      ['JSON', ['-H', 'Content-Type: application/json', '-d', '{"text":"a & é"}'], 'a & é'],
      ['a form, as Mattermost documents it', ['--data-urlencode', 'payload={"text":"a & é"}'], 'a & é'],
      [
        'a form that is sent as it is',
        ['-d', 'payload={"text": "Hello, this is some text"}'],
        'Hello, this is some text',
      ],
      ['parts', ['-F', 'payload={"text":"a & é"}'], 'a & é'],
    ])('gets ok for %s', async (_name, args, text) => {
      const child = startChild(curl, ['--silent', '--show-error', ...args, address()])
      expect(await child.ended).toBe(0)
      expect(await app.texts()).toEqual([text])
    })

    it('is refused with a form whose text is not escaped', async () => {
      const child = startChild(curl, ['--silent', '--fail', '-d', 'payload={"text":"é & x"}', address()])
      // "The requested URL returned an error"
      expect(await child.ended).toBe(22)
      expect(await app.texts()).toEqual([])
    })
  })

  describeProgram({ program: 'apprise', debian: 'apprise' }, (apprise) => {
    it('gets ok as for Mattermost', async () => {
      const { port } = new URL(app.origin)
      const url = `mmost://127.0.0.1:${port}/${app.key}?image=no`
      const child = startChild(apprise, ['-vv', '--title', 'Backup', '--body', 'Done: é 😀', url])
      expect([await child.ended, child.err.lines]).toEqual([0, expect.anything()])
      const [message] = await stored()
      expect(message).toMatchObject({ text: expect.stringContaining('Done: é 😀'), username: 'Apprise' })
    })
  })

  describeProgram({ program: 'prometheus-alertmanager', debian: 'prometheus-alertmanager' }, () => {
    it('gets ok as for Slack', async () => {
      const alertmanager = await startAlertmanager(address())
      try {
        const alert = { labels: { alertname: 'DiskFull', severity: 'page' }, annotations: { summary: '97 % of /data' } }
        const response = await fetch(`${alertmanager.url}/api/v2/alerts`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify([alert]),
        })
        expect(response.status).toBe(200)
        await vi.waitFor(async () => expect(await stored()).toHaveLength(1), { timeout: 20_000, interval: 100 })
        const [message] = await stored()
        expect(message).toMatchObject({
          channel: '#alerts',
          attachments: [{ title: expect.stringContaining('DiskFull') }],
        })
        const metrics = await (await fetch(`${alertmanager.url}/metrics`)).text()
        expect(metrics).toMatch(/^alertmanager_notifications_failed_total\{integration="slack"\} 0$/m)
      } finally {
        await alertmanager.dispose()
      }
    })
  })
})
