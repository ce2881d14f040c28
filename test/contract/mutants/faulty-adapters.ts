import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import express, { type ErrorRequestHandler } from 'express'
import { createManagement, type Management } from 'upkeep'
import type { ManagementRequest } from 'upkeep/adapter'
import type { ConformanceApplication, RouteAnswer } from 'upkeep/contract'
import { handleErrors, manage, observe } from 'upkeep/express'
import { sendError, sendWhenReady, toManagementRequest } from 'upkeep/node'
import { listen } from '../../support/listen.ts'

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void

/** A fault of `manage`. */
const faultyManage: Readonly<Record<string, (management: Management) => Handler>> = {
  resolving: (management) => (req, res, next) => {
    const target = new URL(req.url ?? '/', 'http://a')
    sendManaged(management, { ...copyOf(req), target: target.pathname + target.search }, res, next)
  },
  lowering: (management) => (req, res, next) => {
    sendManaged(management, { ...copyOf(req), target: (req.url ?? '').toLowerCase() }, res, next)
  },
  'without strange targets': (management) => (req, res, next) => {
    if (!req.url?.startsWith('/')) throw new Error('no path')
    sendManaged(management, copyOf(req), res, next)
  },
  'without header fields': (management) => (req, res, next) => {
    sendManaged(management, { ...copyOf(req), headers: {} }, res, next)
  },
  'without a host': (management) => (req, res, next) => {
    sendManaged(management, { ...copyOf(req), base: '' }, res, next)
  },
  'in one piece': (management) => (req, res, next) => {
    const response = management(toManagementRequest(req))
    if (response === undefined) return next()
    management.observation.excludeFromObservation(res)
    void Promise.resolve(response).then(async ({ status, headers, body }) => {
      const parts: Uint8Array[] = []
      if (typeof body === 'string') parts.push(Buffer.from(body))
      else if (body !== null && Symbol.asyncIterator in body) for await (const part of body) parts.push(part)
      const all = Buffer.concat(parts)
      res.writeHead(status, { 'Content-Length': all.length, ...headers }).end(all)
    })
  },
  'as if it were whole': (management) => (req, res, next) => {
    const response = management(toManagementRequest(req))
    if (response === undefined) return next()
    management.observation.excludeFromObservation(res)
    void Promise.resolve(response).then(async ({ status, headers, body }) => {
      res.writeHead(status, headers)
      if (body === null || typeof body === 'string' || body instanceof Uint8Array) return res.end(body ?? undefined)
      try {
        for await (const part of body) res.write(part)
      } catch {}
      return res.end()
    })
  },
  'with fields of its own': (management) => (req, res, next) => {
    const response = management(toManagementRequest(req))
    if (response === undefined) return next()
    management.observation.excludeFromObservation(res)
    void Promise.resolve(response).then(({ status, headers, body }) => {
      const { 'Content-Type': type = '' } = headers as Record<string, string>
      return sendWhenReady(res, { status, headers: { 'Content-Type': type }, body })
    })
  },
  'without a word': (management) => (req, res, next) => {
    const response = management(toManagementRequest(req))
    if (response === undefined) return next()
    void sendWhenReady(res, response)
  },
}

/** A mutable copy of a request: node:http computes header fields lazily. */
function copyOf(req: IncomingMessage): ManagementRequest {
  const request = toManagementRequest(req)
  const { method, target, headers, base } = request
  return { method, target, headers, base, body: () => request.body() }
}

function sendManaged(management: Management, request: ManagementRequest, res: ServerResponse, next: () => void) {
  const response = management(request)
  if (response === undefined) return next()
  management.observation.excludeFromObservation(res)
  return void sendWhenReady(res, response)
}

/** Observes only the first request of a connection. */
export const observeFirst = (management: Management): Handler => {
  const seen = new WeakSet<object>()
  const observed = right.observe(management)
  return (req, res, next) => {
    if (seen.has(req.socket)) return next()
    seen.add(req.socket)
    observed(req, res, next)
  }
}

/** Observes, but calls the next handler outside the trace. */
export const observeBeside = (management: Management): Handler => {
  const { observation } = management
  return (req, res, next) => {
    observation.begin(
      res,
      req,
      ({ route }: IncomingMessage & { route?: { path: string } }) => route?.path,
      () => {},
    )
    next()
  }
}

type Report = (message: string, cause: unknown) => void

export interface Parts {
  readonly manage: (management: Management) => Handler
  readonly observe: (management: Management) => Handler
  readonly handleErrors: ((options: { report: Report }) => ErrorRequestHandler) | undefined
}

const right: Parts = {
  manage: manage as unknown as Parts['manage'],
  observe: observe as unknown as Parts['observe'],
  handleErrors,
}

export const startWith = (parts: Partial<Parts>) => async (application: ConformanceApplication) => {
  const { manage: managed, observe: observed, handleErrors: handle } = { ...right, ...parts }
  const { options, routes, otherwise, report } = application
  const management = createManagement(options)
  const app = express()
  app.set('env', 'test')
  app.use(observed(management)).use(managed(management))
  for (const { method, path, fields, answer: respond } of routes) {
    app[method === 'GET' ? 'get' : 'post'](path, async (req, res) => {
      res.set(fields)
      const { status, fields: own, body }: RouteAnswer = await respond(() => text(req))
      res.status(status).set(own)
      if (typeof body === 'string' || req.method === 'HEAD') return void res.end(typeof body === 'string' ? body : '')
      for await (const text of body) res.write(text)
      res.end()
    })
  }
  app.use((req, res) => void res.status(otherwise(req.path).status).set(otherwise(req.path).fields).end())
  if (handle) app.use(handle({ report: (_message, cause) => report(cause) }))
  return { ...(await listen(app)), management }
}

export const handleErrorsForCopies: Parts['handleErrors'] =
  ({ report }) =>
  (error: unknown, req, res, _next) =>
    sendError(error, copyOf(req), res, report)

export const manageWith = (name: string): Partial<Parts> => ({ manage: faultyManage[name] as Parts['manage'] })
export const pass: Handler = (_req, _res, next) => next()
