import type { RequestListener } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import express5 from 'express'
import express4 from 'express4'
import Koa3 from 'koa'
import koaMount from 'koa-mount'
import Koa2 from 'koa2'
import { afterAll, beforeAll, describe } from 'vitest'
import * as forExpress from '../../adapters/express.ts'
import * as forKoa from '../../adapters/koa.ts'
import * as forNode from '../../adapters/node.ts'
import type { Resources } from '../../src/rest.ts'
import { resourcesOverHttp } from '../conformance/resources-over-http.ts'
import { askOver } from '../support/ask.ts'
import { type Listening, listen } from '../support/listen.ts'
import { createOrdersService } from '../support/orders-service.ts'
import { type Mount, mounts } from './mount.ts'

let requests = 0
const nextId = () => `r-${++requests}`

function expressApp(express: typeof express5) {
  return (resources: Resources, { prefix, parser }: Mount): RequestListener => {
    const app = express()
    app.use((_req, res, next) => void next(void res.set('X-Request-Id', nextId())))
    // Lenient as it can be, so that the resources see what they would refuse.
    if (parser) app.use(express.json({ strict: false, limit: 1_000 }))
    app.use(prefix || '/', forExpress.serve(resources))
    app.use((_req, res) => void res.send('elsewhere'))
    app.use(forExpress.answerErrors())
    return app
  }
}

function koaApp(Koa: typeof Koa3) {
  return (resources: Resources, { prefix, parser }: Mount): RequestListener => {
    const app = new Koa()
    app.use(forKoa.answerErrors())
    app.use((context, next) => {
      context.set('X-Request-Id', nextId())
      return next()
    })
    if (parser) app.use(bodyParser({ jsonStrict: false, jsonLimit: 1_000 }))
    const served = forKoa.serve(resources)
    app.use(prefix === '' ? served : koaMount(prefix, served))
    app.use((context) => void Object.assign(context, { body: 'elsewhere' }))
    return app.callback()
  }
}

function nodeApp(resources: Resources): RequestListener {
  const served = forNode.serve(resources)
  return forNode.answerErrors((req, res) => {
    res.setHeader('X-Request-Id', nextId())
    return served(req, res, () => res.end('elsewhere'))
  })
}

const adapters = [
  ['Express 5', expressApp(express5)],
  ['Express 4', expressApp(express4 as typeof express5)],
  ['Koa 3', koaApp(Koa3)],
  ['Koa 2', koaApp(Koa2 as unknown as typeof Koa3)],
  ['node:http', nodeApp],
] as const

describe.each(adapters)('resources served by %s', (name, createApp) => {
  // node:http has no mounts and no body parsers.
  describe.each(name === 'node:http' ? mounts.slice(0, 1) : mounts)('below "$prefix", parser: $parser', (mount) => {
    const service = createOrdersService()
    let listening: Listening
    beforeAll(async () => {
      listening = await listen(createApp(service.resources, mount))
    })
    afterAll(() => listening.close())

    resourcesOverHttp(() => ({
      ask: askOver(listening.port),
      at: `${mount.prefix}/api`,
      parser: mount.parser,
      reported: service.reported,
    }))
  })
})
