import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createConsumer } from '../support/package/consumer.ts'
import { execute, unpackPackage } from '../support/package/packed.ts'

/**
 * Node gives `require` the ES modules too; the flag makes it take the CommonJS files, as Jest and older bundlers do.
 */
const flagsFor = (file: string) => (file.endsWith('.cjs') ? ['--no-experimental-require-module'] : [])

const packed = unpackPackage()
afterAll(packed.remove)

const peers = [
  ...['api', 'core', 'resources', 'sdk-metrics', 'sdk-trace', 'sdk-trace-base'],
  ...['exporter-metrics-otlp-proto', 'exporter-trace-otlp-proto'],
].map((name) => `@opentelemetry/${name}`)
const without = (...names: readonly string[]) => peers.filter((name) => !names.some((each) => name.endsWith(each)))

/** A project with all that the export of OpenTelemetry requires. */
const complete = createConsumer(packed, without('sdk-trace-base'))

/** Sends a span and a counter to a receiver of its own, and prints the paths that it was sent them to. */
const main = `
const paths = []
const server = createServer((req, res) => { paths.push(req.url); req.resume().on('end', () => res.end()) })
server.listen(0, '127.0.0.1', async () => {
  const management = createManagement({ application: { name: 'orders' }, metrics: { runtime: false } })
  const url = 'http://127.0.0.1:' + server.address().port
  const telemetry = await startTelemetry({ management, url, exporter: process.env.EXPORTER })
  management.meters.counter('orders.placed').increment()
  trace.getTracer('orders').startSpan('order').end()
  await telemetry.shutdown()
  server.close()
  console.log(JSON.stringify(paths.sort()))
})
`
const names = [
  'createServer|node:http',
  'trace|@opentelemetry/api',
  'createManagement|upkeep',
  'startTelemetry|upkeep/otlp',
]
const imports = names.map((each) => each.replace(/(.*)\|(.*)/, "import { $1 } from '$2'")).join('\n')
const requires = names.map((each) => each.replace(/(.*)\|(.*)/, "const { $1 } = require('$2')")).join('\n')
const moreImports = "\nimport { traced } from 'upkeep'\nimport { createLogger } from 'upkeep/logging'\n"
const moreRequires = "\nconst { traced } = require('upkeep')\nconst { createLogger } = require('upkeep/logging')\n"

function run(folder: string, file: string, text: string): unknown {
  writeFileSync(join(folder, file), text)
  return JSON.parse(execute(folder, process.execPath, ...flagsFor(file), file))
}

describe('upkeep/otlp of the packed package', () => {
  it.each([
    ['main.mjs', imports],
    ['main.cjs', requires],
  ])('exports traces, metrics and logs without any other package: %s', (file, head) => {
    const folder = createConsumer(packed, [])
    const alone = head.replace(/^.*@opentelemetry\/api.*\n/m, '')
    const program = main
      .replace("trace.getTracer('orders').startSpan('order').end()", "traced('order', () => logger.info('placed'))")
      .replace(
        'const paths',
        "const logger = createLogger({ application: { name: 'orders' }, write() {} })\nconst paths",
      )
    const more = head === imports ? moreImports : moreRequires
    expect(run(folder, file, alone + more + program)).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces'])
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['upkeep'])
  })

  it.each([
    ['main.mjs', imports, 'upkeep'],
    ['main.cjs', requires, 'upkeep'],
    ['main.mjs', imports, 'opentelemetry'],
    ['main.cjs', requires, 'opentelemetry'],
  ])('exports traces and metrics of OpenTelemetry API: %s', (file, head, exporter) => {
    expect(run(complete, file, `process.env.EXPORTER = '${exporter}'\n${head}${main}`)).toEqual([
      '/v1/metrics',
      '/v1/traces',
    ])
  })

  it('uses sdk-trace-base if an application has no sdk-trace', () => {
    const folder = createConsumer(packed, without('sdk-trace'))
    const scope = join(folder, 'node_modules/@opentelemetry')
    const below = join(scope, 'sdk-trace-base/node_modules/@opentelemetry')
    mkdirSync(below, { recursive: true })
    renameSync(join(scope, 'sdk-trace'), join(below, 'sdk-trace'))
    const program = `process.env.EXPORTER = 'opentelemetry'\n${imports}${main}`
    expect(run(folder, 'main.mjs', program)).toEqual(['/v1/metrics', '/v1/traces'])
  })

  it.each([
    ['@opentelemetry/sdk-metrics', 'metrics', []],
    ['@opentelemetry/exporter-metrics-otlp-proto', 'metrics', ['@opentelemetry/api', '@opentelemetry/sdk-metrics']],
    ['@opentelemetry/api', 'tracing', []],
    ['@opentelemetry/core', 'tracing', ['@opentelemetry/api']],
  ])('reports the missing package %s and the install command for %s', (missing, signal, installed) => {
    const folder = createConsumer(packed, installed)
    const other = signal === 'metrics' ? 'tracing' : 'metrics'
    const tried = `import { createMeterRegistry } from 'upkeep/metrics'
      import { startTelemetry } from 'upkeep/otlp'
      const telemetry = startTelemetry({
        management: { meters: createMeterRegistry() }, exporter: 'opentelemetry', ${other}: false
      })
      console.log(JSON.stringify(await telemetry.catch(({ message }) => message)))`
    const told = String(run(folder, 'tried.mjs', tried))
    expect(told).toContain(
      `startTelemetry requires ${missing}, which is not installed. Install it: npm install @opentelemetry/api@`,
    )
  })

  it.each([
    ['resources', '1.30.1', '2.0.0', imports],
    ['exporter-metrics-otlp-proto', '0.57.2', '0.204.0', imports],
    ['exporter-trace-otlp-proto', '0.203.0', '0.204.0', requires],
  ])('reports the outdated package %s %s and the install command', (name, version, required, head) => {
    const manifest = join(complete, 'node_modules/@opentelemetry', name, 'package.json')
    const current = readFileSync(manifest, 'utf8')
    onTestFinished(() => writeFileSync(manifest, current))
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(current), version }))
    const tried = `${head}
      startTelemetry({ management: createManagement({ metrics: { runtime: false } }), exporter: 'opentelemetry' })
        .catch(({ message }) => console.log(JSON.stringify(message)))`
    expect(run(complete, head === imports ? 'old.mjs' : 'old.cjs', tried)).toMatch(
      `startTelemetry requires @opentelemetry/${name} ${required} or newer, received ${version}. ` +
        'Install matching versions: npm install @opentelemetry/api@',
    )
  })

  it('loads nothing of OpenTelemetry before telemetry is started', () => {
    const loaded = run(
      complete,
      'loaded.cjs',
      `require('upkeep'), require('upkeep/otlp'), require('upkeep/node')
      console.log(JSON.stringify(Object.keys(require.cache).filter((path) => path.includes('@opentelemetry'))))`,
    )
    expect(loaded).toEqual([])
  })
})
