// Requests that pass through an application in this process, over no network, and what a middleware adds to them.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import Router from '@koa/router'
import express from 'express'
import Koa from 'koa'
import { median, shuffled } from './harness.mjs'

export const rounds = 41
export const requests = 2_000

class Discard extends Duplex {
  remoteAddress = '127.0.0.1'
  _read() {}
  _write(_chunk, _encoding, done) {
    done()
  }
  _writev(_chunks, done) {
    done()
  }
  setTimeout() {
    return this
  }
  cork() {}
  uncork() {}
}

/** Sends a request through a listener; resolves when its response is closed. */
function inject(listener, url, socket, headers) {
  return new Promise((resolve) => {
    const req = new IncomingMessage(socket)
    req.method = 'GET'
    req.url = url
    req.httpVersionMajor = 1
    req.httpVersionMinor = 1
    req.httpVersion = '1.1'
    req.rawHeaders = ['Host', '127.0.0.1', 'Accept', '*/*', 'User-Agent', 'bench', 'X-Request-Id', url, ...headers]
    req.push(null)
    const res = new ServerResponse(req)
    res.assignSocket(socket)
    res.on('finish', () => {
      res.detachSocket(socket)
      res.destroyed = true
      res._closed = true
      res.emit('close')
      resolve()
    })
    listener(req, res)
  })
}

/** Microseconds of the processor that one request takes: on a machine that does other work too, the wall's say little. */
async function timeOf({ listener, headers = [] }, n) {
  const socket = new Discard()
  const began = process.cpuUsage()
  for (let i = 0; i < n; i++) await inject(listener, `/orders/${i & 63}`, socket, headers)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / n
}

/**
 * Microseconds that each contender adds to the base, in the same round. A contender is a listener, or one with `headers` that
 * its requests have beside the usual; `around` prepares what a contender needs of the process.
 */
export async function added(listeners, { around = (_name, run) => run() } = {}) {
  const names = Object.keys(listeners)
  const measure = (name) => {
    const contender = listeners[name]
    return around(name, () => timeOf(typeof contender === 'function' ? { listener: contender } : contender, requests))
  }
  for (const name of names) await measure(name)
  const rows = names.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const times = {}
    for (const name of shuffled(names)) times[name] = await measure(name)
    for (const [at, name] of names.entries()) rows[at].push(name === 'base' ? times.base : times[name] - times.base)
  }
  return Object.fromEntries(names.map((name, at) => [name, median(rows[at])]))
}

export const nodeRoute = () => '/orders/:id'

export const answer = (_req, res) => void res.end('ok')

export function empty(_req, _res, next) {
  next()
}

export function expressApp(middleware) {
  const app = express()
  app.use(middleware)
  app.get('/orders/:id', (_req, res) => void res.end('ok'))
  return app
}

export function koaApp(middleware) {
  const app = new Koa()
  app.use(middleware)
  const router = new Router()
  router.get('/orders/:id', (context) => {
    context.body = 'ok'
  })
  app.use(router.routes())
  return app.callback()
}
