import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { answerErrors, manage, observe } from '../../adapters/express.ts'
import { sendWhenReady, toManagementRequest } from '../../adapters/node.ts'
import { adapterConformance, type ConformanceApplication, type RouteAnswer } from '../../src/contract.ts'
import { createManagement, type Management, type ManagementRequest } from '../../src/index.ts'
import { startExpress } from '../adapters/conformance-express.ts'
import { listen } from '../support/listen.ts'

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

/** A way to get `manage` wrong. */
const wrong: Readonly<Record<string, (management: Management) => Handler>> = {
  resolving: (management) => (req, res, next) => {
    const target = new URL(req.url ?? '/', 'http://a')
    answer(management, { ...copyOf(req), target: target.pathname + target.search }, res, next)
  },
  lowering: (management) => (req, res, next) => {
    answer(management, { ...copyOf(req), target: (req.url ?? '').toLowerCase() }, res, next)
  },
  'without header fields': (management) => (req, res, next) => {
    answer(management, { ...copyOf(req), headers: {} }, res, next)
  },
  'without a host': (management) => (req, res, next) => {
    answer(management, { ...copyOf(req), base: '' }, res, next)
  },
  'in one piece': (management) => (req, res, next) => {
    const answered = management(toManagementRequest(req))
    if (answered === undefined) return next()
    management.observation.answeredByManagement(res)
    void Promise.resolve(answered).then(async ({ status, headers, body }) => {
      const parts: Uint8Array[] = []
      if (typeof body === 'string') parts.push(Buffer.from(body))
      else if (body !== null && Symbol.asyncIterator in body) for await (const part of body) parts.push(part)
      const all = Buffer.concat(parts)
      res.writeHead(status, { 'Content-Length': all.length, ...headers }).end(all)
    })
  },
  'without a word': (management) => (req, res, next) => {
    const answered = management(toManagementRequest(req))
    if (answered === undefined) return next()
    void sendWhenReady(res, answered)
  },
}

/** A request that can be changed: one of node:http tells its fields only when it is asked. */
function copyOf(req: IncomingMessage): ManagementRequest {
  const request = toManagementRequest(req)
  const { method, target, headers, base } = request
  return { method, target, headers, base, body: () => request.body() }
}

function answer(management: Management, request: ManagementRequest, res: ServerResponse, next: () => void) {
  const answered = management(request)
  if (answered === undefined) return next()
  management.observation.answeredByManagement(res)
  return void sendWhenReady(res, answered)
}

interface Parts {
  readonly manage: (management: Management) => Handler
  readonly observe: (management: Management) => Handler
  readonly answersErrors: boolean
}

const right: Parts = {
  manage: manage as unknown as Parts['manage'],
  observe: observe as unknown as Parts['observe'],
  answersErrors: true,
}

const startWith = (parts: Partial<Parts>) => async (application: ConformanceApplication) => {
  const { manage: managed, observe: observed, answersErrors } = { ...right, ...parts }
  const { options, routes, otherwise, report } = application
  const management = createManagement(options)
  const app = express()
  app.set('env', 'test')
  app.use(observed(management)).use(managed(management))
  for (const { method, path, fields, answer: answerRoute } of routes) {
    app[method === 'GET' ? 'get' : 'post'](path, async (req, res) => {
      res.set(fields)
      const { status, fields: own, body }: RouteAnswer = await answerRoute(async () => '')
      res.status(status).set(own)
      if (typeof body === 'string' || req.method === 'HEAD') return void res.end()
      for await (const text of body) res.write(text)
      res.end()
    })
  }
  app.use((req, res) => void res.status(otherwise(req.path).status).set(otherwise(req.path).fields).end())
  if (answersErrors) app.use(answerErrors({ report: (_message, cause) => report(cause) }))
  return { ...(await listen(app)), management }
}

async function fails(start: ReturnType<typeof startWith>, title: RegExp): Promise<boolean> {
  const [one] = adapterConformance({ start, patience: '1s' }).filter((each) => title.test(each.title))
  if (one === undefined) throw new Error(`no case ${title}`)
  return one.run().then(
    () => false,
    () => true,
  )
}

const manageWith = (name: string): Partial<Parts> => ({ manage: wrong[name] as Parts['manage'] })
const pass: Handler = (_req, _res, next) => next()

describe('a broken adapter', () => {
  it.each<readonly [string, Partial<Parts>, RegExp]>([
    ['resolves targets', manageWith('resolving'), /^dots that would lead in/],
    ['lowers targets', manageWith('lowering'), /^another case/],
    ['hands on no header fields', manageWith('without header fields'), /^health tells details/],
    ['knows no host', manageWith('without a host'), /^the page at the base path links/],
    ['collects what streams', manageWith('in one piece'), /^the scrape streams/],
    ['observes nothing', { observe: () => pass }, /^a request of a route is timed/],
    ['answers no errors', { answersErrors: false }, /^an error that is thrown \(conflict\)/],
    ['counts the management', manageWith('without a word'), /^a request to the management is none/],
  ])('%s is caught', async (_, parts, title) => {
    expect(await fails(startWith({}), title)).toBe(false)
    expect(await fails(startWith(parts), title)).toBe(true)
  })

  it('says what was sent, what came and what was wanted', async () => {
    const [one] = adapterConformance({ start: startWith({ answersErrors: false }) }).filter(({ title }) =>
      /conflict/.test(title),
    )
    await expect(one?.run()).rejects.toThrow(/^wanted {2}.*\nsent {4}GET \/fail\/conflict/)
  })

  it('is told of what its application reports, and starts anew for each case', async () => {
    const titles = adapterConformance({ start: startExpress('Express 5') }).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})
