import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { listenOn } from '../support/listen.ts'

const headers = { authorization: 'Bearer let-me-in' }

/** Serves a console at a port; `streams` are the responses of the service to its viewers. */
async function serve(options: ManagementOptions = {}) {
  const management = createManagement({
    application: { name: 'orders' },
    expose: ['health', 'console'],
    authorize: bearerToken('let-me-in'),
    report: () => {},
    ...options,
  })
  const managed = manage(management)
  const streams: ServerResponse[] = []
  const server = createServer((req, res) => {
    if (req.url?.endsWith('/stream')) streams.push(res)
    managed(req, res)
  })
  const url = `http://127.0.0.1:${await listenOn(server)}/management/console`
  onTestFinished(() => {
    management.close()
    server.closeAllConnections()
    server.close()
  })
  const view = async () => {
    const leaving = new AbortController()
    const response = await fetch(`${url}/stream`, { headers, signal: leaving.signal })
    return { response, leave: () => leaving.abort() }
  }
  const countViewers = async () => {
    const response = await fetch(`${url}/overview`, { headers })
    return ((await response.json()) as { readonly viewers: { readonly current: number } }).viewers.current
  }
  return { management, url, streams, view, countViewers }
}

/** Reads a stream until it has had some samples, and returns their times. */
async function readSamples({ body }: Response, count: number): Promise<readonly number[]> {
  let text = ''
  for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk
    const samples = [...text.matchAll(/event: sample\ndata: (.*)\n\n/g)]
    if (samples.length >= count) return samples.map(([, data = '']) => (JSON.parse(data) as { at: number }).at)
  }
  throw new Error(`the stream ended after ${text}`)
}

describe('the viewers of a console', () => {
  it('are 20, and the next one is admitted when one has left', async () => {
    const { view, countViewers } = await serve()
    const viewers = await Promise.all(Array.from({ length: 20 }, view))
    expect(viewers.map(({ response }) => response.status)).toEqual(viewers.map(() => 200))
    const { response } = await view()
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await response.json()).toMatchObject({ status: 429, detail: 'The console has 20 viewers already.' })
    viewers[7]?.leave()
    await eventually(async () => expect(await countViewers()).toBe(19))
    expect((await view()).response.status).toBe(200)
    expect((await view()).response.status).toBe(429)
  })

  it('receive the same samples in two tabs', async () => {
    const { view } = await serve()
    const tabs = await Promise.all([view(), view()])
    const [one, other] = await Promise.all(tabs.map(({ response }) => readSamples(response, 2)))
    expect(one?.length).toBe(2)
    expect(other).toEqual(one)
  })

  it('are all ended when the management is closed', async () => {
    const { management, view } = await serve()
    const tabs = await Promise.all([view(), view()])
    management.close()
    for (const { response } of tabs) expect(await response.text()).toMatch(/^event: application\n/)
  })

  it('queue nothing when they stop reading, and then miss samples', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    // More than the buffers of both sockets.
    const { url, streams, countViewers } = await serve({ application: { name: 'x'.repeat(2 ** 25) } })
    const stalled = await new Promise<IncomingMessage>((resolve) => get(`${url}/stream`, { headers }, resolve))
    stalled.pause()
    const [response] = streams as [ServerResponse]
    await eventually(() => expect(response.socket?.writableNeedDrain).toBe(true))
    const queued = () => [response.writableLength, response.socket?.listenerCount('close')]
    const before = queued()
    for (let turn = 0; turn < 100; turn++) {
      vi.advanceTimersByTime(10_000)
      await new Promise(setImmediate)
    }
    expect(queued()).toEqual(before)
    expect(await countViewers()).toBe(1)
    let text = ''
    for await (const chunk of stalled.setEncoding('latin1')) {
      text = (text + chunk).slice(-10_000)
      if (text.includes('event: findings')) break
    }
    expect(text.match(/event: sample/g)).toHaveLength(1)
    await eventually(async () => expect(await countViewers()).toBe(0))
  })
})
