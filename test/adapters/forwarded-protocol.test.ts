import express from 'express'
import Koa from 'koa'
import { createManagement } from 'upkeep'
import { manage as manageExpress } from 'upkeep/express'
import { manage as manageKoa } from 'upkeep/koa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const servers = {
  Express: () => express().enable('trust proxy').use(manageExpress(createManagement())),
  Koa: () => new Koa({ proxy: true }).use(manageKoa(createManagement())).callback(),
}

describe.each(Object.entries(servers))('%s behind a proxy that it trusts', (_, createHandler) => {
  it.each([
    ['https', 'https'],
    ['http', 'http'],
    ['javascript:alert(1)//', 'http'],
  ])('has links, forwarded for %s, with %s', async (forwarded, protocol) => {
    const { port, close } = await listen(createHandler())
    onTestFinished(close)
    const headers = { Host: 'orders.example', 'X-Forwarded-Proto': forwarded }
    const { body } = await createRawClient(port)({ target: '/management', headers })
    expect(JSON.parse(body)._links.self.href).toBe(`${protocol}://orders.example/management`)
  })
})
