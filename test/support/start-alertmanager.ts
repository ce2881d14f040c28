import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

/** Starts an Alertmanager that tells Slack of alerts at once, where `slackUrl` is taken for Slack. */
export async function startAlertmanager(slackUrl: string): Promise<TestServer> {
  const command = findProgram('prometheus-alertmanager')
  if (command === undefined) throw new Error('Alertmanager is not installed')
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-alertmanager-'))
  const config = join(folder, 'alertmanager.yml')
  await writeFile(
    config,
    [
      'route: { receiver: chat, group_wait: 0s, group_interval: 1s }',
      'receivers:',
      '  - name: chat',
      `    slack_configs: [{ api_url: '${slackUrl}', channel: '#alerts', send_resolved: true }]`,
      '',
    ].join('\n'),
  )
  return await runServer({
    name: 'Alertmanager',
    url: `http://127.0.0.1:${port}`,
    port,
    command,
    args: [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    stopSignal: 'SIGTERM',
    greet: async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}/-/ready`)
      if (!ok) throw new Error('not ready')
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  })
}
