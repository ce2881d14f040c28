import { IncomingWebhook } from '@slack/webhook'
import { describe, expect, it } from 'vitest'
import { startChild } from '../../support/child.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { startAlertmanager } from '../../support/start-alertmanager.ts'
import { useApp } from './support/use-app.ts'

// Programs that know nothing of this receiver, and think that they talk to Slack or Mattermost.
describe('senders', () => {
  const app = useApp()
  const address = () => `${app().origin}/hooks/${app().key}`
  const stored = () => app().database.query<Readonly<Record<string, unknown>>>('select * from messages')

  describe('@slack/webhook', () => {
    it('gets ok for a text', async () => {
      expect(await new IncomingWebhook(address()).send('Grüße 😀\nand a line')).toEqual({ text: 'ok' })
      expect(await app().texts()).toEqual(['Grüße 😀\nand a line'])
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
      expect(await app().texts()).toEqual([text])
    })

    it('is refused with a form whose text is not escaped', async () => {
      const child = startChild(curl, ['--silent', '--fail', '-d', 'payload={"text":"é & x"}', address()])
      // "The requested URL returned an error"
      expect(await child.ended).toBe(22)
      expect(await app().texts()).toEqual([])
    })
  })

  describeProgram({ program: 'apprise', debian: 'apprise' }, (apprise) => {
    it('gets ok as for Mattermost', async () => {
      const { port } = new URL(app().origin)
      const url = `mmost://127.0.0.1:${port}/${app().key}?image=no`
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
        await expect.poll(stored).toHaveLength(1)
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
