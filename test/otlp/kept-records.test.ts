import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createLogger } from 'upkeep/logging'
import { expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../support/listen.ts'
import { startExportingService } from '../support/otlp/failed-requests.ts'

const application = { name: 'orders' }

interface SentRecord {
  readonly timeUnixNano: string
  readonly observedTimeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  readonly body: { readonly stringValue: string }
}

interface SentScope {
  readonly scope: { readonly name: string }
  readonly logRecords: readonly SentRecord[]
}

/** Starts a receiver of records in JSON. */
async function startReceiver() {
  const scopes: SentScope[] = []
  const server = createServer(async (req, res) => {
    const request = JSON.parse(await text(req))
    for (const { scopeLogs } of request.resourceLogs ?? []) scopes.push(...scopeLogs)
    res.end('{}')
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { scopes, url: `http://127.0.0.1:${port}` }
}

it('a record below the exported level has its own time, level, logger and error if its request is kept', async () => {
  const { scopes, url } = await startReceiver()
  const options = { keepFailedRequests: true, url, protocol: 'http/json' } as const
  const { request, exported } = await startExportingService(options)
  const lines: string[] = []
  const logger = createLogger({ application, level: 'TRACE', write: (line) => void lines.push(line) })
  const failing = request()
  const before = Date.now()
  failing.within(() => logger.child({ logger: 'orders.db' }).debug('read', new RangeError('refused')))
  const after = Date.now()
  await failing.respond(500)
  await exported()
  const scope = scopes.find((each) => each.scope.name === 'orders.db')
  expect(scope?.logRecords).toMatchObject([{ severityNumber: 5, severityText: 'DEBUG', body: { stringValue: 'read' } }])
  const { timeUnixNano, observedTimeUnixNano } = (scope as SentScope).logRecords[0] as SentRecord
  expect(observedTimeUnixNano).toBe(timeUnixNano)
  expect(Number(timeUnixNano) / 1e6).toBeGreaterThan(before - 1)
  expect(Number(timeUnixNano) / 1e6).toBeLessThan(after + 1)
  expect(JSON.stringify(scope)).toContain('{"key":"exception.type","value":{"stringValue":"RangeError"}}')
})

it('a record that is held counts with the memory of its line', async () => {
  const { request, counted } = await startExportingService({ keepFailedRequests: true })
  const lines: string[] = []
  const logger = createLogger({ application, level: 'DEBUG', write: (line) => void lines.push(line) })
  const open = request()
  const size = () => counted('otlp.held.size')[''] ?? Number.NaN
  const before = size()
  open.within(() => logger.debug('read'))
  const [line = ''] = lines
  expect(size() - before).toBeGreaterThanOrEqual(line.trimEnd().length + 384)
  await open.respond()
})
