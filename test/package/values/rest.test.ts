import express from 'express'
import {
  checkBaseUrl,
  checkCompatibility,
  checkNames,
  checkPath,
  checkRoutes,
  parseJson,
  requestTypeOf,
  validate,
} from 'upkeep/rest'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createOrdersService } from '../../support/orders-service.ts'
import { createResourcesClient } from '../../support/resources-client.ts'

it('checks paths, routes, names, URLs and versions', () => {
  const rules = (broken: readonly { readonly rule: string }[]) => broken.map(({ rule }) => rule)
  expect(rules(checkPath('/orders/'))).toEqual(['trailing-slash'])
  expect(checkRoutes(express().get('/order/:id', () => {}))).toMatchObject([{ path: '/order/:id' }])
  expect(checkNames(z.object({ order_id: z.string() }))).not.toEqual([])
  expect(checkBaseUrl('https://api.example.org')).toEqual([])
  expect(checkCompatibility(z.object({ id: z.string() }), z.object({}))).not.toEqual([])
})

it('reads and validates bodies', async () => {
  expect(parseJson(Buffer.from('{"a":1}'))).toEqual({ a: 1 })
  expect(requestTypeOf({ 'content-type': 'text/csv' }, ['text/*'])).toBe('text/*')
  expect(await validate(z.number(), 1)).toBe(1)
  await expect(validate(z.number(), 'x')).rejects.toMatchObject({ status: 400 })
})

it('replies with the status and the content of each kind of reply', async () => {
  const send = createResourcesClient(createOrdersService().resources)
  const headers = { 'content-type': 'application/json' }
  const statusOf = async (method: string, path: string, body?: object) =>
    (await send(`/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status
  expect([
    await statusOf('GET', '/status'),
    await statusOf('POST', '/orders/repeat'),
    await statusOf('POST', '/orders/a/cancel', { reason: 'later' }),
    await statusOf('POST', '/orders/shipped/cancel', { reason: 'now' }),
    await statusOf('GET', '/orders/moved'),
    await statusOf('GET', '/latest'),
    await statusOf('GET', '/mirror'),
    await statusOf('PUT', '/drafts/a', {}),
  ]).toEqual([200, 201, 202, 409, 301, 303, 307, 428])
})
