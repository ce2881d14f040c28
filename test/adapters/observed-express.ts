import type { RequestListener } from 'node:http'
import express5 from 'express'
import express4 from 'express4'
import createRouter from 'router22'
import { answerErrors, manage, observe } from '../../adapters/express.ts'
import type { Management } from '../../src/index.ts'
import { move, orders } from './orders.ts'

/** Express 5 before 5.3, whose router does not remember its patterns. */
const express52 = Object.assign(
  () => Object.defineProperty(express5(), 'router', { value: createRouter() as express5.Router }),
  { Router: createRouter as typeof express5.Router },
)

export const expressVersions = {
  'Express 5': express5,
  'Express 5.2': express52 as unknown as typeof express5,
  'Express 4': express4 as typeof express5,
}

export function observedExpress(version: keyof typeof expressVersions) {
  return (management: Management): RequestListener => {
    const app = expressVersions[version]()
    app.use(observe(management))
    app.use(manage(management))
    for (const [route, order] of Object.entries(orders)) {
      const [method, path = ''] = route.split(' ')
      if (method === 'GET') app.get(path, (_req, res) => order(res))
      else app.post(path, (_req, res) => order(res))
    }
    app.use((req, res, next) => (req.path === '/moved' ? move(res) : next()))
    app.use(answerErrors({ report: () => {} }))
    return app
  }
}
