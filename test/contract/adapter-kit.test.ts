import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { answerErrors, manage, observe } from '../../adapters/express.ts'
import { sendError, sendWhenReady, toManagementRequest } from '../../adapters/node.ts'
import { adapterConformance, type ConformanceApplication, type RouteAnswer } from '../../src/contract.ts'
import { createManagement, type Management, type ManagementRequest } from '../../src/index.ts'
import { startExpress } from '../adapters/frameworks/express.ts'
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
  'without strange targets': (management) => (req, res, next) => {
    if (!req.url?.startsWith('/')) throw new Error('no path')
    answer(management, copyOf(req), res, next)
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

/** Observes what comes first on a connection, and nothing behind it. */
const observeFirst = (management: Management): Handler => {
  const seen = new WeakSet<object>()
  const observed = right.observe(management)
  return (req, res, next) => {
    if (seen.has(req.socket)) return next()
    seen.add(req.socket)
    observed(req, res, next)
  }
}

type Report = (message: string, cause: unknown) => void

interface Parts {
  readonly manage: (management: Management) => Handler
  readonly observe: (management: Management) => Handler
  readonly answerErrors: ((options: { report: Report }) => ErrorRequestHandler) | undefined
}

const right: Parts = {
  manage: manage as unknown as Parts['manage'],
  observe: observe as unknown as Parts['observe'],
  answerErrors,
}

const startWith = (parts: Partial<Parts>) => async (application: ConformanceApplication) => {
  const { manage: managed, observe: observed, answerErrors: answering } = { ...right, ...parts }
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
  if (answering) app.use(answering({ report: (_message, cause) => report(cause) }))
  return { ...(await listen(app)), management }
}

const answerNameless: Parts['answerErrors'] =
  ({ report }) =>
  (error: unknown, req, res, _next) =>
    sendError(error, copyOf(req), res, report)

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
    ['answers no errors', { answerErrors: undefined }, /^an error that is thrown \(conflict\)/],
    ['fails at strange targets', manageWith('without strange targets'), /^a target that a server may resolve/],
    ['observes what comes first alone', { observe: observeFirst }, /^requests that wait behind another/],
    ['knows no response when an error comes', { answerErrors: answerNameless }, /^an error document names the request/],
    ['counts the management', manageWith('without a word'), /^a request to the management is none/],
  ])('%s is caught', async (_, parts, title) => {
    expect(await fails(startWith({}), title)).toBe(false)
    expect(await fails(startWith(parts), title)).toBe(true)
  })

  it('says what was sent, what came and what was wanted', async () => {
    const [one] = adapterConformance({ start: startWith({ answerErrors: undefined }) }).filter(({ title }) =>
      /conflict/.test(title),
    )
    await expect(one?.run()).rejects.toThrow(/^wanted {2}.*\nsent {4}GET \/fail\/conflict/)
  })
})

describe('a case that needs what is lacking', () => {
  const reason = 'there is no target'
  const lacks = { rawTargets: reason }
  const title = /^dots that would lead in/
  const findCase = (onSkip?: (title: string, reason: string) => void) => {
    const start = () => Promise.reject(new Error('started'))
    const [one] = adapterConformance({ start, lacks, onSkip }).filter((each) => title.test(each.title))
    if (one === undefined) throw new Error(`no case ${title}`)
    return one
  }

  it('starts nothing, and is reported as skipped by a runner that hands a context on', async () => {
    const reasons: string[] = []
    await findCase().run(...([{ skip: (told: string) => reasons.push(told) }] as never[]))
    expect(reasons).toEqual([reason])
  })

  it('is told where the runner has no word for it', async () => {
    const told: string[] = []
    await findCase((skipped, why) => told.push(`${skipped}: ${why}`)).run()
    expect(told).toEqual([expect.stringMatching(/^dots that would lead in .*: there is no target$/)])
  })

  it('is run where nothing is lacking', async () => {
    expect(await fails(startWith(manageWith('resolving')), title)).toBe(true)
  })

  it.each([
    [{ targets: 'none' }, 'lacks must hold rawTargets, preparedFields, sentAnswers, not targets'],
    [{ rawTargets: '' }, 'lacks.rawTargets must say why'],
    [{ rawTargets: true }, 'lacks.rawTargets must say why'],
  ])('is not lacking something else, or without a reason: %j', (wrongly, message) => {
    expect(() => adapterConformance({ start: startExpress('Express 5'), lacks: wrongly as never })).toThrow(message)
  })
})

describe('the cases', () => {
  it('have titles that are theirs alone', () => {
    const titles = adapterConformance({ start: startExpress('Express 5') }).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})
