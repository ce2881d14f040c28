import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManagement, type Management } from '../../src/index.ts'
import { defer } from '../support/fake-time.ts'
import { listen } from '../support/listen.ts'
import { expressApp } from './express-subject.ts'
import { fastifyApp } from './fastify-subject.ts'
import { fetchApp } from './fetch-subject.ts'
import { honoApp } from './hono-subject.ts'
import { koaApp } from './koa-subject.ts'
import { nodeApp } from './node-subject.ts'

const adapters = [
  ['Express 5', expressApp('Express 5')],
  ['Express 4', expressApp('Express 4')],
  ['Koa 3', koaApp('Koa 3')],
  ['Koa 2', koaApp('Koa 2')],
  ['node:http', nodeApp],
  ['Fastify', fastifyApp],
  ['Hono', honoApp],
  ['fetch', fetchApp],
] as const

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
    const { port, close } = await listen(createApp(management, { prefix: '', parser: false }, () => {}))
    onTestFinished(close)
    const text = await readToTheEnd(port, () => arrival.resolve())
    expect(text).toContain('the beginning')
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(ended).toBe(true)
  })
})
