import { Writable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify, { type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { createManagement, type Report } from 'upkeep'
import { handleErrors as handleErrorsInExpress } from 'upkeep/express'
import { handleErrors as handleErrorsInFastify } from 'upkeep/fastify'
import { handleErrors as handleErrorsInFetch } from 'upkeep/fetch'
import { handleErrors as handleErrorsInHono } from 'upkeep/hono'
import { handleErrors as handleErrorsInKoa } from 'upkeep/koa'
import { handleErrors as handleErrorsInNode } from 'upkeep/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const open: { close(): unknown }[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(open.splice(0).map((each) => each.close()))
})

type Reporting = { readonly report?: Report | undefined } | undefined
type Start = (reporting: Reporting) => Promise<number>

const fail = (): never => {
  throw new Error('secret')
}

async function opened(handler: Parameters<typeof listen>[0]): Promise<number> {
  const listening = await listen(handler)
  open.push(listening)
  return listening.port
}

async function openFastify(app: FastifyInstance): Promise<number> {
  open.push(app)
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

const starts: readonly (readonly [string, Start])[] = [
  ['node:http', (reporting) => opened(handleErrorsInNode(fail, reporting))],
  [
    'Express',
    (reporting) => {
      const app = express()
      app.get('/fail', fail)
      app.use(handleErrorsInExpress(reporting))
      return opened(app)
    },
  ],
  [
    'Koa',
    (reporting) => {
      const app = new Koa()
      app.use(handleErrorsInKoa(reporting))
      app.use(fail)
      return opened(app.callback())
    },
  ],
  [
    'Fastify',
    (reporting) => {
      const app = Fastify()
      app.setErrorHandler(handleErrorsInFastify(reporting))
      app.get('/fail', fail)
      return openFastify(app)
    },
  ],
  [
    'Hono',
    (reporting) => {
      const app = new Hono()
      app.onError(handleErrorsInHono(reporting))
      app.get('/fail', fail)
      return opened(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
    },
  ],
  [
    'fetch',
    (reporting) => opened(getRequestListener(handleErrorsInFetch(fail, reporting), { overrideGlobalObjects: false })),
  ],
]

describe.each(starts)('handleErrors of %s', (_name, start) => {
  const send = async (reporting: Reporting) => {
    const { status, body } = await createRawClient(await start(reporting))({ target: '/fail?key=1' })
    return [status, JSON.parse(body).title]
  }

  it.each<readonly [string, Report]>([
    ['throws', () => fail()],
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('responds if its report function %s', async (_how, report) => {
    const reporting = vi.fn(report)
    expect(await send({ report: reporting })).toEqual([500, 'Internal Server Error'])
    expect(reporting.mock.calls).toEqual([['GET /fail failed', expect.objectContaining({ message: 'secret' })]])
  })

  it('reports to the management that it receives', async () => {
    const report = vi.fn()
    expect(await send(createManagement({ report }))).toEqual([500, 'Internal Server Error'])
    expect(report.mock.calls).toEqual([['GET /fail failed', expect.objectContaining({ message: 'secret' })]])
  })

  it('reports to the console by default', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await send(undefined)).toEqual([500, 'Internal Server Error'])
    expect(written).toHaveBeenCalled()
    expect(written.mock.calls.flat().map(String).join(' ')).toContain('secret')
  })
})

describe('handleErrors of Fastify', () => {
  it('reports to the logger of the request, with its id', async () => {
    const lines: Record<string, unknown>[] = []
    const stream = new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)))
        done()
      },
    })
    const app = Fastify({ logger: { stream }, genReqId: () => 'req-7' })
    app.setErrorHandler(handleErrorsInFastify())
    app.get('/fail', fail)
    const written = vi.spyOn(console, 'error')
    expect((await createRawClient(await openFastify(app))({ target: '/fail' })).status).toBe(500)
    const [failed] = lines.filter(({ level }) => level === 50)
    expect(failed).toMatchObject({ reqId: 'req-7', msg: 'GET /fail failed', err: { message: 'secret' } })
    expect(written).not.toHaveBeenCalled()
  })
})
