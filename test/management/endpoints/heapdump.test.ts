import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearerToken, createManagement } from 'upkeep'
import type { HeapDumpOptions } from 'upkeep/node'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

const target = '/management/heapdump'
const headers = { authorization: 'Bearer let-me-in' }

/** More than the memory of any machine, and less than any heap needs. */
const [never, always] = [100, 1]

async function start(options: HeapDumpOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
  const report = vi.fn()
  const audit = vi.fn()
  const management = createManagement({
    ...{ expose: ['heapdump'], authorize: bearerToken('let-me-in'), report, audit },
    heapdump: { directory, factor: always, ...options },
  })
  const server = createServer(manage(management))
  const port = await listenOn(server)
  onTestFinished(() => {
    management.close()
    server.closeAllConnections()
    server.close()
    rmSync(directory, { recursive: true })
  })
  return { management, directory, report, audit, port, send: createRawClient(port) }
}

/** Starts a request; resolves when the header of the response has arrived. */
async function open(port: number): Promise<IncomingMessage> {
  const [response] = await once(get({ port, host: '127.0.0.1', path: target, headers, agent: false }), 'response')
  return response
}

/** Returns the files that this process has opened below a directory, also those without a name. */
function openedFiles(directory: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`)
      return path.startsWith(directory) ? [path] : []
    } catch {
      return []
    }
  })
}

class Marked {
  readonly name = 'a heap that is dumped'
}

describe('GET heapdump', () => {
  it('is a snapshot of the heap, from a file without a name that is deleted afterwards', async () => {
    const kept = new Marked()
    const { send, directory, report, audit } = await start()
    const response = await send({ target, headers })
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename="\d{8}T\d{6}\.heapsnapshot"$/),
      'cache-control': 'no-store',
      'server-timing': expect.stringMatching(/^blocked;dur=\d+;desc="event loop"$/),
    })
    const { snapshot, strings } = JSON.parse(response.body)
    expect(snapshot.node_count).toBeGreaterThan(10_000)
    expect(strings).toContain(kept.constructor.name)
    expect(readdirSync(directory)).toEqual([])
    await expect.poll(() => openedFiles(directory)).toEqual([])
    expect(audit.mock.calls).toEqual([
      [expect.objectContaining({ type: 'download', endpoint: 'heapdump', principal: 'bearer', outcome: 'success' })],
    ])
    const blocked = /dur=(\d+)/.exec(response.headers['server-timing'] ?? '')?.[1]
    expect(report.mock.calls).toEqual([[`heapdump: the event loop was blocked for ${blocked}ms`]])
  })

  it('is one at a time, until the client leaves', async () => {
    const { send, port, directory } = await start()
    const first = await open(port)
    expect(openedFiles(directory)).toHaveLength(1)
    expect(readdirSync(directory)).toEqual([])
    const second = await send({ target, headers })
    expect(second).toMatchObject({ status: 409, headers: { 'retry-after': '10' } })
    expect(JSON.parse(second.body).detail).toBe('Another heap snapshot is in progress.')
    first.destroy()
    await expect.poll(() => openedFiles(directory)).toEqual([])
    expect(await send({ target, headers, method: 'HEAD' })).toMatchObject({ status: 200 })
  })

  it('ends when the management is closed', async () => {
    const { management, port, directory } = await start()
    const response = await open(port)
    response.on('error', () => {})
    management.close()
    response.resume()
    await new Promise((resolve) => response.on('close', resolve))
    expect(response.complete).toBe(false)
    await expect.poll(() => openedFiles(directory)).toEqual([])
  })

  it('is refused with the figures where the memory may not suffice', async () => {
    const { send, directory } = await start({ factor: never })
    vi.spyOn(os, 'freemem').mockReturnValue(1_000_000_000)
    onTestFinished(() => void vi.restoreAllMocks())
    const response = await send({ target, headers })
    expect(response.status).toBe(409)
    const { detail, used_heap, factor, required, available } = JSON.parse(response.body)
    expect(detail).toMatch(
      /^A heap snapshot may need 100 times the used heap of \d+ MB, which is \d+ MB; 1000 MB are available\./,
    )
    expect([factor, required, available]).toEqual([never, used_heap * never, 1_000_000_000])
    expect(readdirSync(directory)).toEqual([])
  })

  it('is kept in memory where no file can be created', async () => {
    const { send, report } = await start({ directory: '/proc/upkeep-has-no-such-directory' })
    const response = await send({ target, headers })
    expect(JSON.parse(response.body).snapshot.node_count).toBeGreaterThan(10_000)
    expect(response.headers['server-timing']).toMatch(/^blocked;dur=\d+/)
    expect(report.mock.calls[0]?.[0]).toBe('heapdump: the snapshot is kept in memory, because no file can be created')
  })

  it('is not taken for HEAD, nor if the client accepts another type only', async () => {
    const { send, report } = await start()
    expect(await send({ target, headers, method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    const refused = await send({ target, headers: { ...headers, accept: 'application/json' } })
    expect(refused.status).toBe(406)
    expect(JSON.parse(refused.body).detail).toBe('Not acceptable; available as application/octet-stream.')
    expect(report).not.toHaveBeenCalled()
  })

  it('requires an authorized caller', async () => {
    const { send } = await start()
    expect(await send({ target })).toMatchObject({ status: 401 })
    expect(() => createManagement({ expose: ['heapdump'] })).toThrow(
      'createManagement: the endpoint "heapdump" requires the option "authorize"',
    )
  })
})
