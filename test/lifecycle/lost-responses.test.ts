import { createServer, type RequestListener, type Server } from 'node:http'
import { createManagement } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { listen, manage, observe, shutdownGracefully } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { listenOn } from '../support/listen.ts'
import { followRetained, resetPipelines } from '../support/reset-pipelines.ts'

const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function serve(handler: RequestListener): Promise<Server> {
  const server = createServer(handler)
  await listenOn(server)
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return server
}

/** Waits for nothing but the first request: those behind it on a connection are never sent. */
const hang: RequestListener = () => undefined

const connections = 20
const targets = Array.from({ length: 50 }, () => '/')

describe('pipelined requests on connections that are reset', () => {
  it('are garbage-collected by node:http alone, which this file presumes', async () => {
    const server = await serve(hang)
    const retained = followRetained(server)
    await resetPipelines(server, { connections, targets })
    expect(retained.begun).toBe(1_000)
    expect(await retained.count()).toBe(0)
  })

  it('are not retained by shutdownGracefully', async () => {
    const server = await serve(hang)
    const management = createManagement({ metrics: { runtime: false } })
    const { remove } = shutdownGracefully(server, management)
    ends.push(remove, management.close)
    const retained = followRetained(server)
    await resetPipelines(server, { connections, targets })
    expect(retained.begun).toBe(1_000)
    expect(await retained.count()).toBe(0)
  })

  it('are not retained by observe', async () => {
    const management = createManagement({ tracing: true })
    ends.push(management.close)
    const server = await serve((request, response) => void observe(management)(request, response, () => undefined))
    const retained = followRetained(server)
    await resetPipelines(server, { connections, targets })
    expect(await retained.count()).toBe(0)
  })

  it('are not retained by listen, which waits for their first response', async () => {
    let release: (status: 'UP') => void = () => undefined
    const check = () =>
      new Promise<'UP'>((resolve) => {
        release = resolve
      })
    const management = createManagement({
      expose: ['health', 'prometheus'],
      health: { indicators: { db: { check, cache: '0ms' } } },
    })
    const { server, close } = await listen(management, { port: 0 })
    ends.push(close, management.close)
    const retained = followRetained(server)
    await resetPipelines(server, {
      connections,
      targets: targets.map((_, at) => (at % 5 === 0 ? '/management/health' : '/management/prometheus')),
    })
    release('UP')
    expect(retained.begun).toBe(1_000)
    await expect.poll(() => retained.count()).toBe(0)
  })

  it('render only the first chunk of a scrape that is not read', async () => {
    let read = 0
    const series = createMeterRegistry({ maximumSeriesPerMeter: 20_000 })
    for (let at = 0; at < 20_000; at += 1) series.gauge('read', { at }, () => read++)
    const sources = [series]
    const management = createManagement({ expose: ['prometheus'], metrics: { sources, runtime: false } })
    ends.push(management.close, () => series.close())
    const handle = manage(management)
    const server = await serve((request, response) => {
      if (request.url !== '/hang') handle(request, response)
    })
    const retained = followRetained(server)
    const names = targets.map((_, at) => `/management/prometheus?name%5B%5D=read&name%5B%5D=other_${at}`)
    await resetPipelines(server, { connections: 1, targets: ['/hang', ...names] })
    await expect.poll(() => retained.count()).toBe(0)
    // A chunk of 64 KB holds some 3,000 of these series.
    expect(read).toBeLessThan(names.length * 5_000)
  })
})
