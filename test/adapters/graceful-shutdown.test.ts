import { createServer, type RequestListener } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import express5 from 'express'
import express4 from 'express4'
import Koa3 from 'koa'
import Koa2 from 'koa2'
import type { Management } from 'upkeep'
import { handleErrors as handleExpressErrors, manage as manageExpress } from 'upkeep/express'
import { manage as manageKoa } from 'upkeep/koa'
import { handleErrors, manage } from 'upkeep/node'
import { describe } from 'vitest'
import { type Desk, gracefulShutdown, type ShutdownSubject } from '../conformance/graceful-shutdown.ts'
import { cert, key } from '../support/localhost-certificate.ts'

type CreateApp = (management: Management, desk: Desk) => RequestListener

const ignore = () => undefined

function expressApp(express: typeof express5): CreateApp {
  return (management, desk) => {
    const app = express()
    app.use(manageExpress(management))
    app.use((req, res, next) => void desk.respondTo(req.path).then((text) => res.send(text), next))
    app.use(handleExpressErrors({ report: ignore }))
    return app
  }
}

/** Without `handleErrors`: Koa itself removes all header fields from the response to a failed request. */
function koaApp(Koa: typeof Koa3): CreateApp {
  return (management, desk) => {
    const app = new Koa()
    app.silent = true
    app.use(manageKoa(management))
    app.use(async (context) => {
      context.body = await desk.respondTo(context.path)
    })
    return app.callback()
  }
}

const nodeApp: CreateApp = (management, desk) => {
  const managed = manage(management)
  return handleErrors(
    (req, res) =>
      new Promise<void>((resolve, reject) => {
        managed(req, res, () => {
          desk.respondTo(req.url ?? '').then((text) => {
            res.setHeader('Content-Length', text.length).end(text)
            resolve()
          }, reject)
        })
      }),
    { report: ignore },
  )
}

const over = (createApp: CreateApp): ShutdownSubject => ({
  create: (management, desk) => createServer(createApp(management, desk)),
})

const subjects: readonly (readonly [string, ShutdownSubject])[] = [
  ['Express 5', over(expressApp(express5))],
  ['Express 4', over(expressApp(express4 as typeof express5))],
  ['Koa 3', over(koaApp(Koa3))],
  ['Koa 2', over(koaApp(Koa2 as unknown as typeof Koa3))],
  ['node:http', over(nodeApp)],
  ['node:https', { create: (...each) => createTlsServer({ key, cert }, nodeApp(...each)), tls: true }],
  [
    'node:http2 for clients of HTTP/1',
    {
      // The types of node:http2 lack a common supertype of both kinds of request.
      create: (...each) => createSecureServer({ key, cert, allowHTTP1: true }, nodeApp(...each) as never),
      tls: true,
    },
  ],
]

describe.each(subjects)('%s', (_name, subject) => gracefulShutdown(subject))
