import type { ServerResponse } from 'node:http'
import { HttpError, traceHeaders } from '../../src/index.ts'

/** Answers of the observed application, for adapters whose framework leaves the response to node:http. */
export const orders: Readonly<Record<string, (res: ServerResponse) => unknown>> = {
  'GET /orders/:id': (res) => {
    res.write('one\n')
    setImmediate(() => {
      res.write('two\n')
      setImmediate(() => res.end('three\n'))
    })
  },
  'POST /orders/:id': (res) => void res.writeHead(201).end(),
  'GET /hang/:id': () => {},
  'GET /endless/:id': (res) => void res.write('and so on'),
  'GET /fail/:id': () => {
    throw new TypeError('no such thing')
  },
  'GET /trace/:id': async (res) => {
    await new Promise(setImmediate)
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify(traceHeaders()))
  },
  'GET /unavailable/:id': (res) => void res.writeHead(503).end(),
  'GET /conflict/:id': () => {
    throw new HttpError(409, 'The order is shipped.')
  },
}

/** Sends elsewhere. */
export function move(res: ServerResponse): void {
  res.writeHead(302, { Location: '/orders/1' }).end()
}
