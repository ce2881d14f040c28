import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeMigration } from '../../migrate/describe-opentelemetry-sdk.ts'
import { execute, unpackPackage } from '../../support/package/packed.ts'

interface PrintedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string
  readonly scope: string
  readonly route?: string
}

/** `SpanKind.SERVER` of OpenTelemetry's API. */
const server = 1

const source = resolve(import.meta.dirname, 'project')
const packed = unpackPackage()
const folder = packed.emptyFolder()
afterAll(packed.remove, 300_000)

/** Beside the packed package: the newest of everything that its user would install. */
const packages = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-node',
  '@opentelemetry/auto-instrumentations-node',
  'express@5',
  'express4@npm:express@4',
  'koa',
  '@koa/router',
  'fastify',
  'hono',
  '@hono/node-server',
]

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execute(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', packed.tarball, ...packages)
  cpSync(source, folder, { recursive: true })
  const text = readFileSync(join(source, 'service.mjs'), 'utf8')
  writeFileSync(join(folder, 'service.cjs'), toCommonJs(text))
}, 600_000)

/** The same program with `require`; packages that are ES modules come with their default among their members. */
function toCommonJs(text: string): string {
  return text
    .replace(/^import (\{.*\}) from ('.*')$/gm, (_, names: string, from: string) => {
      return `const ${names.replaceAll(' as ', ': ')} = require(${from})`
    })
    .replace(/^import (\w+) from ('.*')$/gm, 'const $1 = ((module) => module.default ?? module)(require($2))')
}

/** The spans of one request to a service that is started by a command line, until it has exited. */
async function spansOf(framework: string, args: readonly string[]): Promise<readonly PrintedSpan[]> {
  const environment = { ...process.env, OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
  const child = spawn(process.execPath, [...args, framework], { cwd: folder, env: environment })
  const exited = once(child, 'exit')
  const printed: unknown[] = []
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    const value = JSON.parse(line)
    printed.push(value)
    if ('port' in value) {
      const response = await fetch(`http://127.0.0.1:${value.port}/orders/17`, { headers: { connection: 'close' } })
      expect(await response.text()).toBe('17')
      child.stdin.end()
    }
  }
  await exited
  expect(errors.replace(/^.*(?:Warning|--trace-).*$/gm, '').trim()).toBe('')
  return (printed as PrintedSpan[]).filter((value) => 'traceId' in value)
}

describe.each([
  ['ES modules', ['--import', './sdk.cjs', 'service.mjs']],
  ['CommonJS', ['--require', './sdk.cjs', 'service.cjs']],
])('with the auto-instrumentations of OpenTelemetry, as %s', (_, args) => {
  it.each(['Express 5', 'Express 4', 'Koa', 'Fastify', 'Hono', 'node:http'])(
    'a request to %s has one SERVER span, named by its route, with the work as its children',
    async (framework) => {
      const spans = await spansOf(framework, args)
      const inTrace = spans.filter(({ traceId }) => traceId === spans.find(({ name }) => name === 'inner')?.traceId)
      const servers = spans.filter(({ kind }) => kind === server)
      expect(servers).toEqual([expect.objectContaining({ name: 'GET /orders/:id', route: '/orders/:id' })])
      expect(servers[0]?.scope).toBe('@opentelemetry/instrumentation-http')
      expect(inTrace).toContainEqual(servers[0])

      const parentOf = ({ parentId }: PrintedSpan) => inTrace.find(({ spanId }) => spanId === parentId)
      const inner = inTrace.find(({ name }) => name === 'inner')
      const work = inner && parentOf(inner)
      expect(work?.name).toBe('work')
      let above = work
      for (let depth = 0; depth < 10 && above !== undefined && above !== servers[0]; depth += 1) above = parentOf(above)
      expect(above).toBe(servers[0])
    },
  )
})

describeMigration(folder)
