// Requests that pass through an application in this process, over no network, and what a middleware adds to them.
import express from 'express'
import Koa from 'koa'
import { median, shuffled } from './harness.mjs'
import { timeOf } from './inject.mjs'

export const rounds = 41
export const requests = 2_000

/**
 * Microseconds that each contender adds to the base, in the same round. A contender is a listener, or one with
 * `headers` that its requests have beside the usual; `around` prepares what a contender needs of the process.
 */
export async function added(listeners, { around = (_name, run) => run() } = {}) {
  const names = Object.keys(listeners)
  const measure = (name) => {
    const contender = listeners[name]
    const { listener, headers = [] } = typeof contender === 'function' ? { listener: contender } : contender
    const request = (i) => ({ url: `/orders/${i & 63}`, headers: ['X-Request-Id', `request-${i & 63}`, ...headers] })
    return around(name, () => timeOf(listener, requests, request))
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
  // What @koa/router leaves of the route; a router of its own would take longer than all that is to be measured.
  app.use((context) => {
    context._matchedRoute = '/orders/:id'
    context.body = 'ok'
  })
  return app.callback()
}
