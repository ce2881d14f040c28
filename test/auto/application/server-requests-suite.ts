import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRawClient } from '../../support/raw-client.ts'
import { type Form, type Recorded, type RunningApplication, startApplication } from './application.ts'

/** An application of `applications/`, and how its requests are recorded. */
export interface Case {
  readonly application: string
  readonly name?: string
  readonly forms: readonly Form[]
  readonly alias?: Readonly<Record<string, string>>
  /** The folder whose packages it imports. @default that of the repository */
  readonly packages?: string
  readonly order: string
  readonly created: string
  readonly failing: string
  readonly slow: string
  /** The template of the mount whose middleware responds with 401. */
  readonly refused: string
  readonly exception: string
  readonly found: readonly string[]
}

export const usual: Omit<Case, 'application' | 'forms'> = {
  order: '/api/orders/:id',
  created: '/api/orders',
  failing: '/failing',
  slow: '/slow',
  refused: '/admin/:tenant/**',
  exception: 'RangeError',
  found: [],
}
/** The tests of applications under `upkeep/auto`, in each of their forms. */
export function describeServerRequests(cases: readonly Case[]): void {
  const runs = cases.flatMap((each) =>
    each.forms.map((form) => ({ ...each, form, title: each.name ?? each.application })),
  )

  describe.each(runs)('$title, $form', (run) => {
    const { application, form, alias, packages, order, created, failing, slow, refused, exception, found } = run
    let running: RunningApplication
    let recorded: Recorded
    let trace: string

    beforeAll(async () => {
      running = await startApplication(application, { form, ...(alias && { alias }), ...(packages && { packages }) })
      const send = createRawClient(running.port)
      await send({ target: '/failing' })
      await send({ target: '/api/orders/1?token=2' })
      await send({ target: '/nowhere/3' })
      await send({ target: '/admin/4/users' })
      trace = await createSlowly(running.port)
      await exchangeOnOneConnection(running.port)
      await leaveEarly(running.port)
      recorded = await running.recorded(({ counts }) => counts.reduce((sum, [, count]) => sum + count, 0) >= 10)
    })
    afterAll(() => running?.end())

    it('times each request with the template of its route', () => {
      expect(Object.fromEntries(recorded.counts)).toEqual({
        [`${order} GET 200 SUCCESS none`]: 4,
        [`${created} POST 201 SUCCESS none`]: 2,
        [`${failing} GET 500 SERVER_ERROR ${exception}`]: 1,
        'NOT_FOUND GET 404 CLIENT_ERROR none': 1,
        [`${refused} GET 401 CLIENT_ERROR none`]: 1,
        [`${slow} GET 499 ABORTED none`]: 1,
      })
    })

    it('continues the trace of the caller in the handler', () => {
      expect(trace).toBe(traceId)
      const span = recorded.spans.find((each) => each.traceId === traceId)
      expect(span?.name).toBe(created === 'UNKNOWN' ? 'POST' : `POST ${created}`)
    })

    // hapi and plain node:http have no routes to show.
    if (application !== 'hapi' && application !== 'http') {
      it('shows its routes', () => {
        const path = application === 'fastify' ? '/api/orders/' : '/api/orders'
        expect(recorded.routes).toEqual(expect.arrayContaining([`{GET [${order}]}`, `{POST [${path}]}`]))
      })
    }

    it('names the framework and reports nothing', () => {
      expect(recorded).toMatchObject({ unseen: [], reports: [] })
      // A package of another name is not found by its name.
      expect(recorded.found).toEqual(application === 'express' && alias && !form.startsWith('bundled') ? [] : found)
    })
  })
}

const traceId = '0af7651916cd43dd8448eb211c80319c'

/** Sends the body of a request after its header section, when the request is being handled. Returns the trace that the handler sends. */
async function createSlowly(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  const head = 'POST /api/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n'
  const traceparent = `traceparent: 00-${traceId}-b7ad6b7169203331-01\r\n`
  socket.write(`${head}${traceparent}Expect: 100-continue\r\nConnection: close\r\n\r\n`)
  await received(socket, (text) => text.includes('100 Continue'))
  socket.write('two')
  const [trace = 'none'] = /[0-9a-f]{32}/.exec(await text(socket)) ?? []
  return trace
}

/** Sends a request and two pipelined ones, and then one with `Expect`, on the same connection. */
async function exchangeOnOneConnection(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  const get = 'GET /api/orders/7 HTTP/1.1\r\nHost: localhost\r\n\r\n'
  socket.write(get)
  await received(socket, (text) => text.includes('7'))
  socket.write(get + get)
  await received(socket, (text) => text.split('HTTP/1.1 200').length === 3)
  const head = 'POST /api/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n'
  socket.write(`${head}Expect: 100-continue\r\nConnection: close\r\n\r\n`)
  await received(socket, (text) => text.includes('100 Continue'))
  socket.write('two')
  await received(socket, (text) => text.includes('201 Created'))
  socket.destroy()
}

function received(socket: Socket, isComplete: (text: string) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const add = (chunk: Buffer) => {
      text += chunk.toString()
      if (!isComplete(text)) return
      socket.off('data', add)
      resolve()
    }
    socket.on('data', add).once('close', () => reject(new Error(`closed after ${text}`)))
  })
}

/** Closes a connection while its request is being handled. */
async function leaveEarly(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  await new Promise((resolve) => socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n', resolve))
  socket.end()
  socket.destroySoon()
}
