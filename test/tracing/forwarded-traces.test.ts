import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import express from 'express'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { observe as observeExpress } from '../../adapters/express.ts'
import { observe as observeKoa } from '../../adapters/koa.ts'
import { observe as observeNode } from '../../adapters/node.ts'
import {
  createManagement,
  formatTracestate,
  type Management,
  parseTraceparent,
  parseTracestate,
  traceHeaders,
} from '../../src/index.ts'
import { type Listening, listen, listenOn } from '../support/listen.ts'

interface Vector {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly is_traceparent_valid: boolean
  readonly is_tracestate_valid?: boolean
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../vectors/traceparent.json'), 'utf8'),
)

/** The service behind: what it was sent, by path. */
const received = new Map<string, IncomingHttpHeaders>()
const behind = createServer((req, res) => {
  received.set(req.url ?? '', req.headers)
  res.end()
})
let portBehind: number

/** Asks the service behind, in the trace that is going on. */
function forward(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const client = request({ port: portBehind, host: '127.0.0.1', path, headers: { ...traceHeaders() } }, (answer) => {
      answer.resume().on('end', resolve)
    })
    client.on('error', reject)
    client.end()
  })
}

const services: readonly (readonly [string, (management: Management) => Parameters<typeof listen>[0]])[] = [
  [
    'node:http',
    (management) => {
      const observe = observeNode(management)
      return (req, res) => void observe(req, res, () => forward(req.url ?? '').then(() => res.end()))
    },
  ],
  [
    'Express 5',
    (management) =>
      express()
        .use(observeExpress(management))
        .use((req, res) => forward(req.url).then(() => void res.end())),
  ],
  [
    'Koa 3',
    (management) =>
      new Koa()
        .use(observeKoa(management))
        .use(async (context) => {
          await forward(context.url)
          context.body = ''
        })
        .callback(),
  ],
]

beforeAll(async () => {
  portBehind = await listenOn(behind)
})
afterAll(() => behind.close())

describe.each(services)("W3C's Trace Context vectors through a service of %s", (_, serve) => {
  const management = createManagement({ tracing: true, metrics: { runtime: false } })
  let listening: Listening
  beforeAll(async () => {
    listening = await listen(serve(management))
  })
  afterAll(async () => {
    await listening.close()
    management.close()
  })

  it.each(vectors.map((vector, at) => ({ at, ...vector })))('$at: $headers', async ({ at, ...vector }) => {
    const sent = await sendThrough(listening.port, `/${at}`, vector.headers)
    expect(typeof sent['traceparent']).toBe('string')
    const passed = parseTraceparent(String(sent['traceparent']))
    expect(passed).toBeDefined()

    const traceparents = fieldsOf(vector, 'traceparent')
    const came = traceparents.length === 1 ? parseTraceparent(traceparents[0]?.trim()) : undefined
    expect(came !== undefined).toBe(vector.is_traceparent_valid)
    if (came === undefined) {
      // A trace of its own: the tracestate belonged to the other.
      expect(vector.headers.flat().join()).not.toContain(passed?.traceId)
      expect(sent['tracestate']).toBeUndefined()
      return
    }
    expect(passed).toMatchObject({ traceId: came.traceId, flags: came.flags })
    expect(passed?.spanId).not.toBe(came.spanId)

    const members = parseTracestate(fieldsOf(vector, 'tracestate').join(','))
    expect(sent['tracestate']).toBe(
      members === undefined || members.length === 0 ? undefined : formatTracestate(members),
    )
    if (members !== undefined && members.length > 0) expect(vector.is_tracestate_valid).toBe(true)
  })
})

function fieldsOf({ headers }: Vector, name: string): readonly string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
}

/** Sends header lines as they are, and answers what the service behind was sent. */
async function sendThrough(port: number, path: string, headers: Vector['headers']): Promise<IncomingHttpHeaders> {
  received.delete(path)
  const socket = connect(port, '127.0.0.1')
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 20/)
  return received.get(path) ?? expect.fail('nothing was sent')
}
