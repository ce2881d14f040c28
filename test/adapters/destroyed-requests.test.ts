import type { RequestListener } from 'node:http'
import { handleErrors, sendResponse } from 'upkeep/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

async function serve(handler: RequestListener) {
  const { port, close } = await listen(handler)
  onTestFinished(close)
  return createRawClient(port)
}

const answer = { status: 200, headers: { 'Content-Type': 'text/plain', 'Content-Length': '2' }, body: 'ok' }

describe('handleErrors of node:http', () => {
  it('survives a handler that destroys its request before it throws', async () => {
    const report = vi.fn()
    const half = { method: 'POST', target: '/', headers: { 'Content-Length': '2000' }, body: 'x'.repeat(1_000) }
    const send = await serve(
      handleErrors(
        async (req, res) => {
          for await (const _ of req) throw new Error('too long')
          res.end('ok')
        },
        { report },
      ),
    )
    // Whether the response still reaches the client depends on timing.
    await send(half).catch(() => {})
    expect(report.mock.calls).toEqual([['POST / failed', new Error('too long')]])
    expect(await send({ target: '/' })).toMatchObject({ status: 200, body: 'ok' })
  })
})

describe('sendResponse', () => {
  it('does not change a response that has already begun', async () => {
    const sent = vi.fn()
    const send = await serve((_req, res) => {
      res.writeHead(503).end('too late')
      sendResponse(res, answer).then(sent, () => sent('rejected'))
    })
    expect(await send({ target: '/' })).toMatchObject({ status: 503, body: 'too late' })
    expect(sent.mock.calls).toEqual([[undefined]])
  })

  it('cuts off a response with invalid header fields, and does not reject', async () => {
    const sent = vi.fn()
    const send = await serve((_req, res) => {
      res.on('error', () => {})
      sendResponse(res, { ...answer, headers: { 'X-Broken': 'a\r\nb' } }).then(sent, () => sent('rejected'))
    })
    await expect(send({ target: '/' })).rejects.toThrow()
    expect(sent.mock.calls).toEqual([[undefined]])
  })
})
