import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { request as requestOfUndici } from 'undici'
import { createManagement, type Management, type TraceHeaders, traceHeaders } from 'upkeep'
import { observe as observeExpress } from 'upkeep/express'
import { observe as observeFastify } from 'upkeep/fastify'
import { observe as observeHono } from 'upkeep/hono'
import { formatTracestate, parseTraceparent, parseTracestate, randomFlag, sampledFlag } from 'upkeep/ids'
import { instrument } from 'upkeep/instrumentation'
import { observe as observeKoa } from 'upkeep/koa'
import { observe as observeNode } from 'upkeep/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, listen, listenOn } from '../support/listen.ts'

interface Vector {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly is_traceparent_valid: boolean
  readonly is_tracestate_valid?: boolean
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../vectors/traceparent.json'), 'utf8'),
)

type Received = NodeJS.Dict<string[]>

/** The headers that the upstream service has received, by path. */
const received = new Map<string, Received>()
const upstream = createServer((req, res) => {
  received.set(req.url ?? '', req.headersDistinct)
  res.end()
})
let upstreamPort: number

type Forward = (path: string) => Promise<unknown>

/** Requests the upstream service by node:http. */
function requestByNodeHttp(path: string, headers: TraceHeaders = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const client = request({ port: upstreamPort, host: '127.0.0.1', path, headers: { ...headers } }, (response) => {
      response.resume().on('end', resolve)
    })
    client.on('error', reject)
    client.end()
  })
}

/** Request the upstream service in the active trace: with explicit headers, and with instrumented clients. */
const clients: readonly (readonly [name: string, isInstrumented: boolean, Forward])[] = [
  ['traceHeaders', false, (path) => requestByNodeHttp(path, traceHeaders())],
  ['instrumented node:http', true, (path) => requestByNodeHttp(path)],
  ['instrumented fetch', true, async (path) => (await fetch(`http://127.0.0.1:${upstreamPort}${path}`)).text()],
  [
    'instrumented undici',
    true,
    async (path) => (await requestOfUndici(`http://127.0.0.1:${upstreamPort}${path}`)).body.dump(),
  ],
]

type Handler = Parameters<typeof listen>[0]

const services: readonly (readonly [string, (management: Management, forward: Forward) => Handler])[] = [
  [
    'node:http',
    (management, forward) => {
      const observe = observeNode(management)
      return (req, res) => void observe(req, res, () => forward(req.url ?? '').then(() => res.end()))
    },
  ],
  [
    'Express 5',
    (management, forward) =>
      express()
        .use(observeExpress(management))
        .use((req, res) => forward(req.url).then(() => void res.end())),
  ],
  [
    'Koa 3',
    (management, forward) =>
      new Koa()
        .use(observeKoa(management))
        .use(async (context) => {
          await forward(context.url)
          context.body = ''
        })
        .callback(),
  ],
  [
    'Fastify 5',
    (management, forward) => {
      const app = fastify()
      app.register(observeFastify(management))
      app.get('/*', async ({ url }) => {
        await forward(url)
        return ''
      })
      const ready = app.ready()
      return (req, res) => void ready.then(() => app.routing(req, res))
    },
  ],
  [
    'Hono 4',
    (management, forward) => {
      const app = new Hono().use(observeHono(management)).get('/*', async (context) => {
        await forward(context.req.path)
        return context.text('')
      })
      return getRequestListener(app.fetch)
    },
  ],
]

beforeAll(async () => {
  upstreamPort = await listenOn(upstream)
})
afterAll(() => upstream.close())

/** Each service forwards each vector once, and the clients take turns, so that each of them sends each vector too. */
const pairs = services.flatMap(([service, serve], row) =>
  clients.map((client, column) => {
    const shown = vectors.flatMap((vector, at) => ((at + row) % clients.length === column ? [{ at, ...vector }] : []))
    return [service, serve, shown, ...client] as const
  }),
)

describe.each(pairs)(
  "W3C's Trace Context vectors through a service of %s",
  (_, serve, shown, client, isInstrumented, forward) => {
    let management: Management
    let listening: Listening
    beforeAll(async () => {
      management = createManagement({ tracing: true, metrics: { runtime: false } })
      if (isInstrumented) instrument(management)
      listening = await listen(serve(management, forward))
    })
    afterAll(async () => {
      await listening.close()
      management.close()
    })

    it.each(shown)(`by ${client}, $at: $headers`, async ({ at, ...vector }) => {
      const sent = await sendThrough(listening.port, `/${at}`, vector.headers)
      const passed = parseTraceparent(onlyOne(sent, 'traceparent'))
      expect(passed).toBeDefined()

      const traceparents = fieldsOf(vector, 'traceparent')
      const caller = traceparents.length === 1 ? parseTraceparent(traceparents[0]?.trim()) : undefined
      expect(caller !== undefined).toBe(vector.is_traceparent_valid)
      if (caller === undefined) {
        // A new trace: the tracestate belongs to the trace that is not continued.
        expect(vector.headers.flat().join()).not.toContain(passed?.traceId)
        expect(passed?.flags).toBe(sampledFlag | randomFlag)
        expect(sent['tracestate']).toBeUndefined()
        return
      }
      expect(passed).toMatchObject({ traceId: caller.traceId, flags: caller.flags })
      expect(passed?.spanId).not.toBe(caller.spanId)

      const members = parseTracestate(fieldsOf(vector, 'tracestate').join(','))
      expect(onlyOne(sent, 'tracestate')).toBe(
        members === undefined || members.length === 0 ? undefined : formatTracestate(members),
      )
      if (members !== undefined && members.length > 0) expect(vector.is_tracestate_valid).toBe(true)
    })

    it(`by ${client}, forwards each of three requests in a span of its own`, async () => {
      const paths = ['/first', '/second', '/third']
      for (const path of paths) await sendThrough(listening.port, path, [['traceparent', `00-${traceId}-${spanId}-01`]])
      const sent = paths.map((path) => parseTraceparent(onlyOne(received.get(path) ?? {}, 'traceparent')))
      expect(sent.map((context) => context?.traceId)).toEqual([traceId, traceId, traceId])
      expect(new Set([spanId, ...sent.map((context) => context?.spanId)]).size).toBe(4)
    })

    it(`by ${client}, does not propagate unknown flags`, async () => {
      const sent = await sendThrough(listening.port, '/flags', [['traceparent', `00-${traceId}-${spanId}-ff`]])
      expect(parseTraceparent(onlyOne(sent, 'traceparent'))).toMatchObject({ traceId, flags: sampledFlag | randomFlag })
    })
  },
)

const traceId = '12345678901234567890123456789012'
const spanId = '1234567890123456'

function fieldsOf({ headers }: Vector, name: string): readonly string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
}

/** Returns the value of a field; asserts that it was sent at most once. */
function onlyOne(headers: Received, name: string): string | undefined {
  expect(headers[name]?.length ?? 1).toBe(1)
  return headers[name]?.[0]
}

/** Sends header lines unchanged, and returns the headers that the upstream service has received. */
async function sendThrough(port: number, path: string, headers: Vector['headers']): Promise<Received> {
  received.delete(path)
  const socket = connect(port, '127.0.0.1')
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 20/)
  return received.get(path) ?? expect.fail('the upstream service received no request')
}
