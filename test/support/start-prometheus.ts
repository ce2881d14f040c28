import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

interface ScrapeJob {
  readonly port: number
  readonly path: string
  /** Further settings of the job, such as `{ scrape_native_histograms: true }`. */
  readonly settings?: Readonly<Record<string, string | boolean>>
}

/** What a Prometheus scrapes, by the name of the job. */
export type ScrapeJobs = Readonly<Record<string, ScrapeJob>>

export interface PrometheusOptions {
  /** The path of its program. @default the installed one */
  readonly command?: string | undefined
  readonly features?: readonly string[]
  readonly args?: readonly string[]
  /** Files of rules, which are evaluated each second. */
  readonly rules?: readonly string[]
}

/** Starts a Prometheus that scrapes four times a second and keeps exemplars. */
export async function startPrometheus(
  jobs: ScrapeJobs,
  {
    command = findProgram('prometheus'),
    features = ['exemplar-storage'],
    args = [],
    rules = [],
  }: PrometheusOptions = {},
): Promise<TestServer> {
  if (command === undefined) throw new Error('Prometheus is not installed')
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-prometheus-'))
  const config = join(folder, 'prometheus.yml')
  const jobLines = Object.entries(jobs).map(([job, { port, path, settings = {} }]) =>
    [
      `  - job_name: ${job}`,
      `    metrics_path: ${path}`,
      ...Object.entries(settings).map(([name, value]) => `    ${name}: ${value}`),
      `    static_configs: [{ targets: ['127.0.0.1:${port}'] }]`,
    ].join('\n'),
  )
  await writeFile(
    config,
    [
      'global: { scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 1s }',
      `rule_files: ${JSON.stringify(rules)}`,
      `scrape_configs:\n${jobLines.join('\n')}\n`,
    ].join('\n'),
  )
  return await runServer({
    name: 'Prometheus',
    url: `http://127.0.0.1:${port}`,
    port,
    command,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--enable-feature=${features.join(',')}`,
      ...args,
    ],
    stopSignal: 'SIGTERM',
    greet: async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}/-/ready`)
      if (!ok) throw new Error('not ready')
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  })
}

/** Asks the API of a Prometheus; what it answers as `data`. */
export async function queryPrometheus<T>(
  { url }: TestServer,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<T> {
  const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(query)}`)
  const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string }
  if (status !== 'success') throw new Error(error)
  return data
}
