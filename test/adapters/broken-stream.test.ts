import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import express5 from 'express'
import express4 from 'express4'
import Koa3 from 'koa'
import Koa2 from 'koa2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manage as manageExpress } from '../../adapters/express.ts'
import { manage as manageKoa } from '../../adapters/koa.ts'
import { manage } from '../../adapters/node.ts'
import { createManagement, type Management } from '../../src/index.ts'
import { defer } from '../support/fake-time.ts'
import { listen } from '../support/listen.ts'

const express = (create: typeof express5) => (management: Management) => create().use(manageExpress(management))
const koa = (Koa: typeof Koa3) => (management: Management) => new Koa().use(manageKoa(management)).callback()

const adapters: readonly (readonly [string, (management: Management) => RequestListener])[] = [
  ['Express 5', express(express5)],
  ['Express 4', express(express4 as typeof express5)],
  ['Koa 3', koa(Koa3)],
  ['Koa 2', koa(Koa2 as unknown as typeof Koa3)],
  ['node:http', manage],
]

/** A management whose every answer streams this. */
function streaming(body: () => AsyncIterable<Uint8Array>): Management {
  const management = createManagement({ metrics: { runtime: false } })
  onTestFinished(() => management.close())
  const answer = async () => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: body() })
  return Object.assign(answer, management)
}

/** All that comes over a connection that the client would keep, until the server ends it. */
function readToTheEnd(port: number, arrived: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write('GET /management/x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    })
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes('the beginning')) arrived()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

describe.each(adapters)('%s', (_name, createApp) => {
  it('cuts an answer off whose content fails midway, so that nobody takes it for the whole', async () => {
    let ended = false
    const arrival = defer<void>()
    const management = streaming(async function* () {
      try {
        yield Buffer.from('the beginning')
        await arrival.promise
        throw new Error('gone')
      } finally {
        ended = true
      }
    })
    const { port, close } = await listen(createApp(management))
    onTestFinished(close)
    const text = await readToTheEnd(port, () => arrival.resolve())
    expect(text).toContain('the beginning')
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(ended).toBe(true)
  })
})
