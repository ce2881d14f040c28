import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { runServer, type TestServer } from '../../support/server-process.ts'
import { builtProgram } from '../programs.ts'

const shipped = resolve(import.meta.dirname, '../../../examples/deploy')

/** Starts Prometheus with the configuration of examples/deploy, which it scrapes more often in tests. */
export async function startShippedPrometheus(targets: readonly string[]): Promise<TestServer> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-shipped-'))
  await cp(join(shipped, 'prometheus'), folder, { recursive: true })
  await writeFile(join(folder, 'targets/orders.json'), JSON.stringify([{ targets, labels: { service: 'shop' } }]))
  const config = join(folder, 'prometheus.yml')
  const text = await readFile(config, 'utf8')
  await writeFile(config, text.replace('scrape_interval: 15s', 'scrape_interval: 1s'))
  const url = `http://127.0.0.1:${port}`
  return runServer({
    name: 'Prometheus',
    url,
    port,
    command: builtProgram('UPKEEP_PROMETHEUS'),
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=exemplar-storage',
      '--web.enable-otlp-receiver',
    ],
    stopSignal: 'SIGTERM',
    greet: async () => {
      const { ok } = await fetch(`${url}/-/ready`)
      if (!ok) throw new Error('not ready')
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  })
}

/** Starts a Collector with the configuration of examples/deploy, as it is. */
export async function startShippedCollector(variables: Readonly<Record<string, string>>): Promise<TestServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return runServer({
    name: 'the shipped Collector',
    url,
    port,
    command: builtProgram('UPKEEP_COLLECTOR'),
    args: ['--config', join(shipped, 'collector/collector.yml')],
    env: { PATH: process.env['PATH'], OTEL_LISTEN: `127.0.0.1:${port}`, ...variables },
    stopSignal: 'SIGTERM',
    greet: async () => {
      const headers = { 'Content-Type': 'application/json' }
      await (await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: '{}' })).arrayBuffer()
    },
    clear: async () => undefined,
  })
}
