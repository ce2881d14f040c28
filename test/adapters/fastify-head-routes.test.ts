import Fastify from 'fastify'
import { createManagement, HttpError } from 'upkeep'
import { handleErrors, manage } from 'upkeep/fastify'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient, type RawResponse } from '../support/raw-client.ts'
import { listenerOf } from './frameworks/fastify.ts'

const fieldsOf = ({ headers: { date: _date, expires: _expires, ...rest } }: RawResponse) => rest

it.each([
  ['/management/health', 200, {}],
  ['/management/info', 200, {}],
  ['/management/info', 304, { 'If-None-Match': '*' }],
  ['/management/none', 404, {}],
  ['/orders', 409, {}],
])('with HEAD routes derived by Fastify, HEAD of %s has the fields of GET: %i', async (target, status, headers) => {
  const management = createManagement({ expose: ['health', 'info'], application: { name: 'orders' } })
  const app = Fastify({ exposeHeadRoutes: true })
  app.setErrorHandler(handleErrors())
  app.register(manage(management))
  app.get('*', () => {
    throw new HttpError(409, 'The order is shipped.')
  })
  const { port, close } = await listen(listenerOf(app))
  onTestFinished(async () => {
    await close()
    management.close()
  })
  const send = createRawClient(port)
  const [get, head] = [await send({ target, headers }), await send({ target, headers, method: 'HEAD' })]
  expect([get.status, head.status, head.body]).toEqual([status, status, ''])
  expect(fieldsOf(head)).toEqual(fieldsOf(get))
})
