import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { bearerToken, type Clock, createManagement } from 'upkeep'
import { recordError } from 'upkeep/adapter'
import { instrument } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { manage, observe } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { listenOn } from '../support/listen.ts'
import { delay, type Incident, type Surroundings } from './incident.ts'

/** What the runner sends to the process of a service. Each is acknowledged. */
export type Command =
  | { readonly kind: 'advance'; readonly milliseconds: number }
  | { readonly kind: 'shift-wall-clock'; readonly milliseconds: number }
  | { readonly kind: 'begin' }

/** Serves an incident in this process, and follows the commands of the runner. Sends the port first. */
export async function serve(incident: Incident): Promise<void> {
  let [offset, shift, isIncident, number] = [0, 0, false, 0]
  const clock: Clock = {
    wallTime: () => Date.now() + offset + shift,
    monotonicTime: () => performance.now() + offset,
  }
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  const service = incident.create({ logger, callPayments: await startPayments() })
  const management = createManagement({
    application: { name: 'orders', version: '1.4.2' },
    expose: ['health', 'metrics', 'profile', 'why', 'console'],
    authorize: bearerToken('let-me-in'),
    tracing: true,
    report: () => {},
    audit: () => {},
    clock,
    ...service.options,
  })
  instrument(management)
  const collector = createServer((req, res) =>
    req.resume().on('end', () => res.writeHead(isIncident && incident.receiverFails === true ? 400 : 200).end()),
  )
  const url = `http://127.0.0.1:${await listenOn(collector)}`
  await startTelemetry({ management, url, metrics: false, logs: false })
  service.start?.(management)

  const observed = observe(management, { route: ({ url: path = '/' }) => `/${path.split('/')[1]}/:id` })
  const managed = manage(management)
  const respond = async (req: IncomingMessage, res: ServerResponse) => {
    number += 1
    try {
      const result = await service.handle({ path: req.url ?? '/', number }, isIncident)
      res.writeHead(statusOf(result)).end('{}')
    } catch (error) {
      recordError(res, error)
      res.writeHead(500).end()
    }
  }
  const server = createServer((req, res) => observed(req, res, () => managed(req, res, () => void respond(req, res))))
  const port = await listenOn(server)
  process.on('message', (command: Command) => {
    if (command.kind === 'advance') offset += command.milliseconds
    if (command.kind === 'shift-wall-clock') shift += command.milliseconds
    if (command.kind === 'begin') {
      isIncident = true
      service.begin?.()
    }
    process.send?.({ done: command.kind })
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}

function statusOf(result: unknown): number {
  const status = typeof result === 'object' && result !== null && 'status' in result ? result.status : 200
  return typeof status === 'number' ? status : 200
}

/** Starts a second service, and returns a function that requests it. */
async function startPayments(): Promise<Surroundings['callPayments']> {
  const server = createServer((req, res) => {
    const query = new URL(req.url ?? '/', 'http://payments').searchParams
    const respond = () => res.writeHead(Number(query.get('status'))).end('{}')
    void delay(Number(query.get('milliseconds'))).then(respond)
  })
  const port = await listenOn(server)
  return ({ milliseconds = 2, status = 200 }) =>
    new Promise((resolve, reject) => {
      const path = `/payments?milliseconds=${milliseconds}&status=${status}`
      const req = send({ port, host: '127.0.0.1', path }, (res) => {
        res.resume().on('end', () => resolve(res.statusCode ?? 0))
      })
      req.on('error', reject).end()
    })
}
