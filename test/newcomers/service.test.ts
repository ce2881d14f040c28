import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, startChild } from '../support/child.ts'
import { createConsumer } from '../support/package/consumer.ts'
import { execute, unpackPackage } from '../support/package/packed.ts'

const packed = unpackPackage()
const folder = createConsumer(packed, ['express', 'pg', 'pino', 'prom-client'])
afterAll(packed.remove)

/** A service that logs JSON, whose database is away, with mistakes in filters and in the statuses of indicators. */
const program = `
import express from 'express'
import { createServer } from 'node:http'
import pg from 'pg'
import pino from 'pino'
import { createManagement } from 'upkeep'
import { handleErrors, manage, observe } from 'upkeep/express'
import { postgres } from 'upkeep/health'
import { instrument } from 'upkeep/instrumentation'
import { shutdownGracefully } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { pinoTraceMixin } from 'upkeep/pino'

const logger = pino({ mixin: pinoTraceMixin })
const report = (message, error) => logger.warn(error === undefined ? {} : { cause: String(error) }, message)
const pool = new pg.Pool({ host: '127.0.0.1', port: 9, user: 'orders', database: 'orders' })
const management = createManagement({
  report,
  tracing: true,
  expose: ['health', 'prometheus'],
  metrics: {
    filters: [
      { map: (m) => (m.name === 'http.server.requests' ? { ...m, tags: { path: m.tags.uri } } : m) },
      { map() { throw new Error('a mistake in map') } },
      { configure() { throw new Error('a mistake in configure') } },
      { configure: (m) => (m.name === 'http.server.requests' ? { slo: ['50ms'] } : {}) },
    ],
  },
  health: {
    indicators: { db: postgres(pool), mail: () => 'ok' },
    groups: { readiness: { include: ['readinessState', 'db'] } },
  },
})
const telemetry = await startTelemetry({ management, url: 'http://127.0.0.1:9' })
instrument(management)
const app = express()
app.use(observe(management))
// Most people mount by the prefix that they want to see.
app.use('/management', manage(management))
app.get('/orders', (req, res) => { logger.info('listing'); res.json([]) })
app.get('/boom', () => { throw new Error('boom') })
app.use(handleErrors(management))
const server = createServer(app)
server.listen(0, '127.0.0.1', () => logger.info({ port: server.address().port }, 'listening'))
shutdownGracefully(server, management, { delay: '50ms', timeout: '500ms', flush: [telemetry] })
`

let service: Child
let origin: string
let readiness: Response
const records = (): readonly Record<string, unknown>[] => service.out.lines.map((line) => JSON.parse(line))
const record = (message: RegExp) => records().find(({ msg }) => message.test(String(msg)))
let page = ''

beforeAll(async () => {
  writeFileSync(join(folder, 'service.mjs'), program)
  service = startChild(process.execPath, ['service.mjs'], { cwd: folder })
  const { port } = JSON.parse(await service.out.line(/"listening"/))
  origin = `http://127.0.0.1:${port}`
  readiness = await fetch(`${origin}/management/health/readiness`)
  for (const path of ['/orders', '/orders', '/boom', '/management/health']) await (await fetch(origin + path)).text()
  page = await (await fetch(`${origin}/management/prometheus`)).text()
  service.process.kill('SIGTERM')
  await service.ended
})
afterAll(() => service.kill())

describe('a service of the packed package', () => {
  it('A3: serves and counts requests beside filters that fail, and reports them', async () => {
    expect(page).toMatch(/^http_server_requests_seconds_count\{.*\} 2$/m)
    const causes = records().map(({ msg, cause }) => `${msg} ${cause}`)
    for (const mistake of [/tags/, /a mistake in map/, /a mistake in configure/, /slo/]) {
      expect(causes.filter((each) => mistake.test(each))).not.toEqual([])
    }
    expect(await service.ended).toBe(0)
  })

  it('B5: reports why an instance is not ready', () => {
    expect(readiness.status).toBe(503)
    expect(record(/^health: db is DOWN: .*ECONNREFUSED 127\.0\.0\.1:9/)).toMatchObject({ level: 40 })
  })

  it('B7: reports errors of requests and the steps of a shutdown to the report of the management', () => {
    expect(record(/GET \/boom/)).toMatchObject({ cause: 'Error: boom' })
    expect(record(/^shutting down \(SIGTERM\)/)).toBeDefined()
    expect(service.err.lines).toEqual([])
  })

  it("B8: adds trace ids to pino's records, and leaves their other fields as they are", () => {
    expect(record(/^listing$/)).toMatchObject({ level: 30, trace_id: expect.stringMatching(/^[\da-f]{32}$/) })
    expect(record(/GET \/boom/)).toMatchObject({ level: 40, trace_id: expect.stringMatching(/^[\da-f]{32}$/) })
  })

  it('C16: names the URL to which telemetry could not be sent, in one line', () => {
    expect(record(/^OTLP: .*http:\/\/127\.0\.0\.1:9\/v1\/traces/i)).toBeDefined()
    expect(service.out.lines.filter((line) => line.includes('\\n    at '))).toEqual([])
  })

  it('C18: reports a status that is not known', () => {
    expect(record(/health: mail: unknown status "ok" is ignored; expected one of DOWN/)).toBeDefined()
  })

  it('C18: waits for a check that hangs, in a script without anything else to do', () => {
    const script = `
      import { createManagement } from 'upkeep'
      const hang = { check: () => new Promise(() => {}), timeout: '50ms' }
      const { health } = createManagement({ health: { indicators: { hang } }, report: () => {} })
      console.log((await health.check('hang')).status)`
    expect(execute(folder, process.execPath, '--input-type=module', '--eval', script)).toBe('DOWN\n')
  })

  it('D22: has buckets of requests without an option', () => {
    expect(page).toMatch(/^http_server_requests_seconds_bucket\{.*le="0\.1"\} \d/m)
  })

  it('C19: serves the endpoints at /management, also if they are mounted there', () => {
    expect(readiness.url).toBe(`${origin}/management/health/readiness`)
    expect(page).toContain('# TYPE ')
  })
})
