import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { card, useConsoleBrowser } from '../console/console-browser.ts'
import { startChild } from '../support/child.ts'
import { readDocumented } from '../support/documented.ts'
import { freePort } from '../support/free-port.ts'
import { execute, unpackPackage } from '../support/package/packed.ts'
import { findProgram } from '../support/programs.ts'
import { queryPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { builtProgram } from './programs.ts'

const root = resolve(import.meta.dirname, '../..')
const token = 'newcomer-token'
const packed = unpackPackage()
afterAll(packed.remove)

/** What a newcomer does with a page: the packages to install besides upkeep, and the files to write. */
interface Start {
  readonly packages: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly arguments: readonly string[]
  /** Variables by the ports of the application and of the management, which may be the same. */
  readonly env: (port: string, managementPort: string) => Readonly<Record<string, string>>
  readonly path: string
  readonly uri: string
}

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

/** Returns the packages that the first `npm install` of a page names, without upkeep. */
function packagesOf(name: string): readonly string[] {
  const [, names = ''] = /^npm install upkeep(.*)$/m.exec(page(name)) ?? []
  return names.split(' ').filter((each) => each !== '')
}

/** Returns the program of a page, with the console as the page adds it. */
function withConsole(name: string): string {
  const [, program = ''] = /^```ts\n(.*?)^```$/ms.exec(page(name)) ?? []
  const [, added = ''] = /^```js\n(.*?)^```$/ms.exec(page(name)) ?? []
  expect(added).toContain("'console'")
  const [imported = '', management = ''] = added.trimEnd().split('\n\n')
  const changed = program
    .replace(/^import \{ createManagement \}.*$/m, imported)
    .replace(/^const management = .*?^\}\)$/ms, management)
  expect(changed).not.toBe(program)
  return changed
}

const compile = (source: string) =>
  ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  }).outputText

const starts: Readonly<Record<string, Start>> = {
  'zero code': {
    packages: ['express'],
    files: { 'app.mjs': readDocumented('../README.md', 'app.mjs') },
    arguments: ['--import', 'upkeep/auto', 'app.mjs'],
    env: (port, managementPort) => ({ PORT: port, UPKEEP_PORT: managementPort, UPKEEP_TOKEN: token }),
    path: '/orders/7',
    uri: '/orders/:id',
  },
  Express: {
    packages: packagesOf('start/express.md'),
    files: { 'orders.mjs': withConsole('start/express.md') },
    arguments: ['orders.mjs'],
    env: (port) => ({ PORT: port, MANAGEMENT_TOKEN: token }),
    path: '/orders',
    uri: '/orders',
  },
  Nest: {
    // What a project of Nest has.
    packages: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
    files: {
      'app.module.js': compile(readDocumented('start/nest.md', 'app.module.ts, with the console')),
      'main.js': compile(readDocumented('start/nest.md', 'main.ts')),
    },
    arguments: ['main.js'],
    env: (port) => ({ PORT: port, MANAGEMENT_TOKEN: token }),
    path: '/elsewhere',
    uri: 'NOT_FOUND',
  },
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

describe('a newcomer, with the pages and the tarball alone', () => {
  const browser = useConsoleBrowser(findProgram('chromium') ?? 'chromium')

  it.each(Object.keys(starts))('%s: sees requests in the console, in Prometheus, and in a dashboard', async (name) => {
    const start = starts[name]
    if (start === undefined) throw new Error(name)
    const folder = packed.emptyFolder()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const words = ['install', packed.tarball, ...start.packages, '--prefer-offline', '--ignore-scripts', '--no-audit']
    execute(folder, 'npm', ...words, '--no-fund')
    for (const [file, text] of Object.entries(start.files)) writeFileSync(join(folder, file), text)

    const port = await freePort()
    const isZeroCode = start.arguments.includes('--import')
    const managementPort = isZeroCode ? await freePort() : port
    const service = startChild(process.execPath, start.arguments, {
      cwd: folder,
      // Not the environment of the tests, in which upkeep/auto does nothing.
      env: { PATH: process.env['PATH'], ...start.env(String(port), String(managementPort)) },
    })
    onTestFinished(() => service.kill())
    const request = () =>
      fetch(`http://127.0.0.1:${port}${start.path}`).then(
        (response) => response.status,
        () => 0,
      )
    await expect.poll(request, { timeout: 180_000 }).not.toBe(0)

    const { page: opened, complaints } = await browser.open(`http://127.0.0.1:${managementPort}/management`)
    await browser.signIn(opened, token)
    await request()
    await opened.evaluate("location.hash = '#/requests'")
    await card(opened, 'Recent requests').getByText(start.path).first().waitFor()
    expect(complaints).toEqual([])

    const settings = { authorization: `{ credentials: ${token} }` }
    const prometheus = await startPrometheus(
      { orders: { port: managementPort, path: '/management/prometheus', settings } },
      { command: builtProgram('UPKEEP_PROMETHEUS') },
    )
    onTestFinished(() => prometheus.dispose())
    const valuesOf = async (query: string) => {
      type Found = { readonly result: readonly { readonly value: readonly [number, string] }[] }
      const { result } = await queryPrometheus<Found>(prometheus, 'query', { query })
      return result.map(({ value: [, value] }) => Number(value))
    }
    const scraped = () => valuesOf(`http_server_requests_seconds_count{uri="${start.uri}"}`)
    await expect.poll(scraped, { timeout: 180_000 }).toHaveLength(1)

    const dashboard: Dashboard = JSON.parse(
      readFileSync(join(root, 'deploy/observability/dashboards/micrometer/service.json'), 'utf8'),
    )
    const [panel] = dashboard.panels
    const [target] = panel?.targets ?? []
    const filled = (target?.expr ?? '')
      .replaceAll('$__rate_interval', '10s')
      .replaceAll('$job', 'orders')
      .replaceAll('$instance', '.*')
    const rate = async () => {
      await request()
      return Math.max(0, ...(await valuesOf(filled)))
    }
    await expect.poll(rate, { timeout: 180_000, interval: 250 }).toBeGreaterThan(0)
  })
})
