import { createReadStream } from 'node:fs'
import { createServer, Agent as HttpAgent, request, type ServerResponse } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { createPool } from 'generic-pool'
import { pino } from 'pino'
import { createManagement } from 'upkeep'
import { formatTraceparent } from 'upkeep/ids'
import { createLogger } from 'upkeep/logging'
import { observe } from 'upkeep/node'
import { pinoOptions } from 'upkeep/pino'
import { logRecord } from 'upkeep/winston'
import { describe, expect, it } from 'vitest'
import winston from 'winston'
import { listenOn } from '../support/listen.ts'
import { processTracing } from '../support/process-tracing.ts'

const total = 10_000
/** Both ends are in this process, which may not have 20,000 files open everywhere; the other requests wait in line. */
const mostSockets = 500
const application = { name: 'orders' }

type Write = (request: number, step: string) => void

/** Every way in which the code of one request may be interrupted by that of others. */
async function handle(id: number, write: Write, pool: { use<T>(work: () => Promise<T>): PromiseLike<T> }) {
  write(id, 'begun')
  await nextTurn()
  write(id, 'awaited')
  await new Promise<void>((resolve) =>
    setTimeout(() => {
      write(id, 'timer')
      resolve()
    }, id % 3),
  )
  await pool.use(async () => {
    write(id, 'pooled')
    await wait(id % 2)
    write(id, 'pooled and awaited')
  })
  const upper = new Transform({
    transform(chunk, _encoding, done) {
      write(id, 'transform')
      done(null, String(chunk).toUpperCase())
    },
  })
  await pipeline(Readable.from(['a', 'b']), upper, async (chunks: AsyncIterable<Buffer>) => {
    for await (const _ of chunks) write(id, 'stream')
  })
  if (id % 10 === 0) {
    for await (const _ of createReadStream(import.meta.filename, { end: 9 })) write(id, 'file')
  }
  await Promise.all([wait(1).then(() => write(id, 'one')), Promise.resolve().then(() => write(id, 'other'))])
  queueMicrotask(() => write(id, 'microtask'))
  process.nextTick(() => write(id, 'tick'))
  await nextTurn()
  write(id, 'done')
}

/** The last records of a request are written when its response is closed, outside of its handler. */
function serve(write: Write) {
  const management = createManagement({ tracing: true, metrics: { runtime: false } })
  const observed = observe(management, { route: () => '/:id' })
  const pool = createPool({ create: async () => ({}), destroy: async () => {} }, { max: 20 })
  const respond = async (id: number, res: ServerResponse) => {
    await handle(id, write, pool)
    res.once('close', () => write(id, 'closed'))
    res.end(processTracing()?.activeSpan()?.context.traceId)
  }
  const server = createServer((req, res) => observed(req, res, () => void respond(Number(req.url?.slice(1)), res)))
  // A connection that waits for its turn on a busy machine is no idle one.
  server.keepAliveTimeout = 0
  return { server, management }
}

function send(port: number, agent: HttpAgent, id: number, traceId: string): Promise<string> {
  const traceparent = formatTraceparent({ traceId, spanId: '00f067aa0ba902b7', flags: id % 2 })
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: `/${id}`, agent, headers: { traceparent } }, (res) => {
      let body = ''
      res.on('data', (chunk) => {
        body += chunk
      })
      res.on('end', () => resolve(body))
      res.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

/** A logger of each kind, and the records that it wrote. */
const kinds: Readonly<Record<string, (take: (line: string) => void) => Write>> = {
  pino: (take) => {
    const logger = pino(pinoOptions({ application }), { write: take })
    return (id, step) => logger.info({ id }, step)
  },
  winston: (take) => {
    const format = winston.format.combine(logRecord({ application }), winston.format.json())
    const stream = new Transform({ transform: (chunk, _encoding, done) => done(null, void take(String(chunk))) })
    const logger = winston.createLogger({ format, transports: [new winston.transports.Stream({ stream })] })
    return (id, step) => logger.info(step, { id })
  },
  'the small logger': (take) => {
    const logger = createLogger({ application, write: take })
    return (id, step) => logger.info(step, { id })
  },
}

/** Each request logs with one of them. */
function createWrite(take: (line: string) => void): Write {
  const writes = Object.values(kinds).map((create) => create(take))
  return (id, step) => writes[id % writes.length]?.(id, step)
}

describe('10,000 concurrent requests over real sockets', () => {
  it("have every record in their own request's trace, and in one span", async () => {
    const spans = new Map<number, Set<string>>()
    const counts = new Map<number, number>()
    const write = createWrite((line) => {
      const { id, trace_id, span_id, trace_flags } = JSON.parse(line)
      counts.set(id, (counts.get(id) ?? 0) + 1)
      spans.set(id, (spans.get(id) ?? new Set()).add(`${trace_id} ${span_id} ${trace_flags}`))
    })
    const { server, management } = serve(write)
    const port = await listenOn(server)
    const agent = new HttpAgent({ keepAlive: true, maxSockets: mostSockets })
    const traceIdOf = (id: number) => (id + 1).toString(16).padStart(32, 'a')
    try {
      const ids = Array.from({ length: total }, (_each, id) => id)
      const responses = await Promise.all(ids.map((id) => send(port, agent, id, traceIdOf(id))))
      expect(responses.filter((traceId, id) => traceId !== traceIdOf(id))).toEqual([])
      expect(spans.size).toBe(total)
      const mixed = [...spans].filter(([id, seen]) => {
        const [only = ''] = seen
        return seen.size !== 1 || !only.startsWith(`${traceIdOf(id)} `) || /undefined|00f067aa0ba902b7/.test(only)
      })
      expect(mixed).toEqual([])
      expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(13)
    } finally {
      management.close()
      agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }, 600_000)
})
